#include "ui/theme/figure_mode.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "ui/theme/segmented_control.h"

namespace warpglass::ui {

namespace {

constexpr char kWords[] = "figureWords";
/// A widget with this property is left out with the tables.
constexpr char kNote[] = "figureNote";
/// In less height a chart and a table beneath it are both too small to read.
constexpr int kRoomForTable = 400;

const QWidget* shown = nullptr;

QString wordsOf(const QWidget& control) {
    QString text;
    if (const auto* segments = qobject_cast<const SegmentedControl*>(&control))
        text = segments->current() >= 0 ? segments->button(segments->current())->text() : QString();
    else if (const auto* box = qobject_cast<const QComboBox*>(&control))
        text = box->currentText();
    else if (const auto* other = dynamic_cast<const FigureControl*>(&control))
        return other->figureWords();
    const QVariant pattern = control.property(kWords);
    if (!pattern.isValid() || text.isEmpty())
        return text;
    return pattern.toString().isEmpty() ? QString() : pattern.toString().arg(text.toLower());
}

bool isChoice(const QWidget& widget) {
    return qobject_cast<const SegmentedControl*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
           dynamic_cast<const FigureControl*>(&widget);
}

bool isControl(const QWidget& widget) {
    return isChoice(widget) || qobject_cast<const QAbstractButton*>(&widget) ||
           qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QTabBar*>(&widget) || qobject_cast<const QScrollBar*>(&widget);
}

QList<QWidget*> controlsOf(const QWidget& view) {
    QList<QWidget*> controls;
    for (QWidget* widget : view.findChildren<QWidget*>()) {
        // Those of a scroll area follow its policy.
        const bool managed = widget->parentWidget() && qobject_cast<QScrollBar*>(widget) &&
                             widget->parentWidget()->objectName().startsWith(QLatin1String("qt_scrollarea"));
        if (isControl(*widget) && !managed)
            controls << widget;
    }
    return controls;
}

bool isTable(const QWidget& widget) {
    return qobject_cast<const QTableView*>(&widget) || widget.findChild<QTableView*>();
}

}  // namespace

void setFigureWords(QWidget& choice, const QString& pattern) {
    choice.setProperty(kWords, pattern);
}

bool FigureMode::holds(const QWidget& widget) {
    return shown && (shown == &widget || shown->isAncestorOf(&widget));
}

FigureMode::FigureMode(QWidget& view, int height) : m_view(view), m_focus(QApplication::focusWidget()) {
    QList<QWidget*> choices;
    for (QWidget* widget : view.findChildren<QWidget*>()) {
        // One with words of its own is told also where the window had no room for it.
        const bool told = widget->isVisibleTo(&view) ||
                          (widget->property(kWords).isValid() && widget->parentWidget()->isVisibleTo(&view));
        if (isChoice(*widget) && told)
            choices << widget;
    }
    // As they are read.
    std::stable_sort(choices.begin(), choices.end(), [&view](const QWidget* a, const QWidget* b) {
        const QPoint left = a->mapTo(&view, QPoint()), right = b->mapTo(&view, QPoint());
        const bool oneRow = std::abs(left.y() - right.y()) < 12;
        return oneRow ? left.x() < right.x() : left.y() < right.y();
    });
    QStringList words;
    if (const auto* said = dynamic_cast<const FigureControl*>(&view))
        words << said->figureWords();
    for (const QWidget* choice : choices)
        words << wordsOf(*choice);
    words.removeAll(QString());
    m_words = words.join(QStringLiteral(" · "));
    if (!m_words.isEmpty())
        m_words[0] = m_words[0].toUpper();

    shown = &view;
    for (auto* splitter : view.findChildren<QSplitter*>())
        later([splitter, state = splitter->saveState()] { splitter->restoreState(state); });
    QList<QAbstractScrollArea*> areas = view.findChildren<QAbstractScrollArea*>();
    if (auto* area = qobject_cast<QAbstractScrollArea*>(&view))
        areas << area;
    for (QAbstractScrollArea* area : std::as_const(areas)) {
        later([area, across = area->horizontalScrollBarPolicy(), down = area->verticalScrollBarPolicy()] {
            area->setHorizontalScrollBarPolicy(across);
            area->setVerticalScrollBarPolicy(down);
        });
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    for (QWidget* control : controlsOf(view))
        hide(control);
    hideTables(height);
    QList<QWidget*> parts = view.findChildren<QWidget*>();
    parts << &view;
    for (QWidget* widget : parts) {
        if (auto* part = dynamic_cast<FigurePart*>(widget)) {
            part->setInFigure(true);
            later([part] { part->setInFigure(false); });
        }
    }
}

FigureMode::~FigureMode() {
    shown = nullptr;
    for (const auto& restore : m_restore)
        restore();
    if (m_focus && QApplication::focusWidget() != m_focus)
        m_focus->setFocus(Qt::OtherFocusReason);
}

void FigureMode::hide(QWidget* widget) {
    if (widget->isHidden())
        return;
    widget->hide();
    later([widget = QPointer(widget)] {
        if (widget)
            widget->show();
    });
}

/// Beside a chart, which has the room then.
void FigureMode::hideTables(int height) {
    if (height >= kRoomForTable)
        return;
    for (QWidget* widget : m_view.findChildren<QWidget*>()) {
        if (widget->property(kNote).toBool())
            hide(widget);
    }
    for (auto* splitter : m_view.findChildren<QSplitter*>()) {
        QList<QWidget*> tables;
        for (int i = 0; i < splitter->count(); ++i) {
            if (isTable(*splitter->widget(i)))
                tables << splitter->widget(i);
        }
        if (splitter->orientation() == Qt::Vertical && tables.size() < splitter->count()) {
            for (QWidget* table : tables)
                hide(table);
        }
    }
}

void FigureMode::fit() {
    // What the view has shown for this size does not come back afterwards: at its own size it was not there.
    for (QWidget* control : controlsOf(m_view))
        control->hide();
    for (auto* table : m_view.findChildren<QTableView*>()) {
        if (!table->isVisibleTo(&m_view) || !table->model())
            continue;
        const QHeaderView& across = *table->horizontalHeader();
        const QHeaderView& down = *table->verticalHeader();
        QList<int> columns;
        for (int i = 1; i < across.count(); ++i) {
            const int column = across.logicalIndex(i);
            const int end = across.sectionViewportPosition(column) + across.sectionSize(column);
            if (!across.isSectionHidden(column) && end > table->viewport()->width())
                columns << column;
        }
        for (const int column : columns) {
            table->setColumnHidden(column, true);
            later([table, column] { table->setColumnHidden(column, false); });
        }
        // Not hidden: the row after it would move up to stand in its place, cut as well.
        QWidget* const viewport = table->viewport();
        const int cut = down.logicalIndexAt(viewport->height() - 1);
        const int top = down.sectionViewportPosition(cut);
        if (cut > 0 && top > 0 && top + down.sectionSize(cut) > viewport->height()) {
            viewport->setMask(QRegion(0, 0, viewport->width(), top));
            later([viewport] { viewport->clearMask(); });
        }
    }
}

}  // namespace warpglass::ui
