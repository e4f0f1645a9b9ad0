#include "app/window/mark_notice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/models/mark_list.h"
#include "ui/models/mark_range.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kNoteWidth = 320;  // a note may be long

}  // namespace

MarkNotice::MarkNotice(ui::MarkList& marks, QWidget* parent)
    : QWidget(parent), m_marks(marks), m_text(new QLabel(this)), m_undo(new QPushButton(tr("Undo"), this)) {
    m_text->setObjectName(QStringLiteral("deletedMark"));
    m_text->setTextFormat(Qt::PlainText);
    m_undo->setObjectName(QStringLiteral("undoDelete"));
    m_undo->setToolTip(tr("Puts the mark back where it was"));
    m_undo->setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard where it is
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(ui::Metrics::kSpace2);
    layout->addWidget(m_text);
    layout->addWidget(m_undo);
    connect(m_undo, &QPushButton::clicked, this, [this] {
        const bool byKeyboard = m_undo->hasFocus();
        m_marks.restore();
        if (byKeyboard)
            emit leftByKeyboard();
    });
    connect(&m_marks, &ui::MarkList::removedChanged, this, &MarkNotice::showRemoved);
    hide();
}

void MarkNotice::showRemoved() {
    const RunMark* removed = m_marks.removed();
    if (removed) {
        const QString note = ui::noteWordsFirst(*removed);
        m_text->setText(tr("The mark “%1” was deleted.")
                            .arg(m_text->fontMetrics().elidedText(note, Qt::ElideRight, kNoteWidth)));
        m_text->setToolTip(note);
    }
    setVisible(removed != nullptr);
    emit noticeChanged();
}

}  // namespace warpglass::app
