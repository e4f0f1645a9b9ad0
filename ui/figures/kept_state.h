// What a figure changes of a view while it is drawn, and puts back: RAII, one of each at a time. GUI thread
// only; the view outlives them.
#pragma once

#include <QHeaderView>
#include <QLabel>
#include <QList>
#include <QPointer>
#include <QTableView>
#include <QWidget>
#include <utility>

namespace warpglass::ui {

/// The columns of a view's tables, which take other widths in a figure: until it ends, when they are as wide
/// again as someone had made them.
class KeptColumns {
public:
    explicit KeptColumns(QWidget& view) {
        for (QTableView* table : view.findChildren<QTableView*>())
            keep(*table);
        if (auto* table = qobject_cast<QTableView*>(&view))
            keep(*table);
    }
    ~KeptColumns() {
        for (const Kept& kept : m_kept) {
            QHeaderView* const across = kept.table ? kept.table->horizontalHeader() : nullptr;
            if (!across || across->count() != kept.widths.size())
                continue;
            for (int column = 0; column < across->count(); ++column) {
                across->setSectionHidden(column, kept.widths[column] < 0);
                // The others are as wide as there is room.
                const bool chosen = across->sectionResizeMode(column) == QHeaderView::Interactive;
                if (chosen && kept.widths[column] >= 0 && across->sectionSize(column) != kept.widths[column])
                    across->resizeSection(column, kept.widths[column]);
            }
        }
    }
    Q_DISABLE_COPY(KeptColumns)

private:
    struct Kept {
        QPointer<QTableView> table;
        QList<int> widths;  // by logical index; −1 for a hidden one
    };
    void keep(QTableView& table) {
        const QHeaderView& across = *table.horizontalHeader();
        Kept kept{&table, {}};
        for (int column = 0; column < across.count(); ++column)
            kept.widths << (across.isSectionHidden(column) ? -1 : across.sectionSize(column));
        m_kept << kept;
    }

    QList<Kept> m_kept;
};

/// Labels whose font has capitals alone are written in them until it ends: an SVG's letters are as they are
/// written, whatever the font makes of them.
class WrittenCapitals {
public:
    explicit WrittenCapitals(QWidget& view) {
        for (auto* label : view.findChildren<QLabel*>()) {
            if (label->font().capitalization() != QFont::AllUppercase)
                continue;
            m_before.emplaceBack(label, label->text());
            label->setText(label->text().toUpper());
        }
    }
    ~WrittenCapitals() {
        for (const auto& [label, text] : m_before) {
            if (label)
                label->setText(text);
        }
    }
    Q_DISABLE_COPY(WrittenCapitals)

private:
    QList<std::pair<QPointer<QLabel>, QString>> m_before;
};

}  // namespace warpglass::ui
