#include "app/window/mark_notice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "app/window/run_words.h"
#include "ui/models/mark_list.h"
#include "ui/models/mark_range.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kNoteWidth = 320;  // a note may be long
constexpr int kFreshMilliseconds = 15'000;

}  // namespace

MarkNotice::MarkNotice(ui::MarkList& marks, QWidget* parent)
    : QWidget(parent),
      m_marks(marks),
      m_text(ui::named(new QLabel(this), "deletedMark")),
      m_undo(ui::named(new QPushButton(tr("Undo"), this), "undoDelete")) {
    m_text->setTextFormat(Qt::PlainText);
    m_undo->setToolTip(tr("Puts the mark back where it was"));
    m_undo->setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard where it is
    auto* layout = ui::spaced(new QHBoxLayout(this), {}, ui::Metrics::kSpace2);
    ui::addAll(layout, {m_text, m_undo});
    connect(m_undo, &QPushButton::clicked, this, [this] {
        const bool byKeyboard = m_undo->hasFocus();
        m_marks.restore();
        if (byKeyboard)
            emit leftByKeyboard();
    });
    connect(&m_marks, &ui::MarkList::removedChanged, this, &MarkNotice::showRemoved);
    m_fresh.setObjectName(QStringLiteral("freshNotice"));
    m_fresh.setSingleShot(true);
    m_fresh.setInterval(kFreshMilliseconds);
    connect(&m_fresh, &QTimer::timeout, this, &MarkNotice::age);
    hide();
}

void MarkNotice::setMarksShown(bool shown) {
    m_marksShown = shown;
    setVisible(shown && m_marks.removed());
    emit noticeChanged();
}

/// Not under the hands of whoever is at it.
void MarkNotice::age() {
    if (m_undo->hasFocus() || underMouse())
        m_fresh.start();
    else
        emit noticeChanged();
}

void MarkNotice::showRemoved() {
    const RunMark* removed = m_marks.removed();
    if (removed) {
        const QString note = ui::noteWordsFirst(*removed);
        m_text->setText(tr("The mark “%1” was deleted.")
                            .arg(m_text->fontMetrics().elidedText(note, Qt::ElideRight, kNoteWidth)));
        m_text->setToolTip(plainToolTip(note));
        m_fresh.start();
    }
    setVisible(removed && m_marksShown);
    emit noticeChanged();
}

}  // namespace warpglass::app
