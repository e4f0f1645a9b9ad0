#include "app/window/lesson_panel.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/controls/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kLessonWidth = 300;  // about forty letters a line, and the views keep three quarters of 1,280
constexpr int kHeadingSize = 16;

/// Markdown as a label shows it. HTML in it is text, as in a lesson from anywhere.
QString richText(const QString& markdown, const QFont& font = ui::Theme::textFont()) {
    QTextDocument document;
    document.setDefaultFont(font);
    document.setMarkdown(markdown, QTextDocument::MarkdownNoHTML);
    return document.toHtml();
}

QLabel* addLabel(QWidget* parent, QLayout& layout, const char* name) {
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout.addWidget(label);
    return label;
}

}  // namespace

LessonPanel::LessonPanel(QWidget* parent)
    : QFrame(parent),
      m_lesson(ui::named(new ui::ElidedLabel(this), "lessonTitle")),
      m_progress(ui::named(new QLabel(this), "lessonProgress")),
      m_leave(ui::named(new QToolButton(this), "lessonLeave")),
      m_scroll(new QScrollArea(this)) {
    setObjectName(QStringLiteral("lessonPanel"));
    setProperty("bar", true);
    setFocusPolicy(Qt::StrongFocus);
    setFixedWidth(kLessonWidth);
    m_lesson->setFont(ui::Theme::strongFont());
    m_progress->setProperty("secondary", true);
    m_leave->setProperty("segment", true);
    m_leave->setIcon(ui::makeQuietIcon(ui::Icon::kClose));
    m_leave->setToolTip(tr("Leave the lesson (Esc)"));
    m_leave->setAccessibleName(tr("Leave the lesson"));
    m_leave->setFixedSize(ui::Metrics::kControlHeight, ui::Metrics::kControlHeight);
    auto* head = new QHBoxLayout;
    head->addWidget(m_lesson, 1);
    ui::addAll(head, {m_progress, m_leave});
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(buildText());
    auto* layout =
        ui::spaced(new QVBoxLayout(this),
                   {ui::Metrics::kSpace4, ui::Metrics::kSpace2, ui::Metrics::kSpace3, ui::Metrics::kSpace3},
                   ui::Metrics::kSpace2);
    layout->addLayout(head);
    layout->addWidget(m_scroll, 1);
    layout->addLayout(buildButtons());
    auto* keys = new QLabel(
        tr("Space: answer, then next step. Left, Right: previous and next step. Esc: leave."), this);
    ui::setSecondary(keys);
    keys->setWordWrap(true);
    layout->addWidget(keys);
    connect(m_leave, &QToolButton::clicked, this, &LessonPanel::leaveRequested);
    for (QAbstractButton* button : findChildren<QAbstractButton*>())
        button->installEventFilter(this);
    hide();
}

QWidget* LessonPanel::buildText() {
    auto* content = new QWidget(m_scroll);
    auto* layout = ui::spaced(new QVBoxLayout(content), {0, ui::Metrics::kSpace1, ui::Metrics::kSpace2, 0},
                              ui::Metrics::kSpace3);
    m_heading = addLabel(content, *layout, "lessonHeading");
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setFont(ui::titleFont(kHeadingSize));
    m_text = addLabel(content, *layout, "lessonText");
    m_asking = new QFrame(content);
    m_asking->setProperty("card", true);
    auto* asking = ui::spaced(new QVBoxLayout(m_asking), ui::Metrics::kSpace3, ui::Metrics::kSpace2);
    m_question = addLabel(m_asking, *asking, "lessonQuestion");
    m_question->setFont(ui::Theme::strongFont());
    m_ask = ui::named(new QPushButton(tr("Show the Answer"), m_asking), "lessonAsk");
    m_ask->setToolTip(tr("Space"));
    asking->addWidget(m_ask, 0, Qt::AlignLeft);
    m_answer = addLabel(m_asking, *asking, "lessonAnswer");
    layout->addWidget(m_asking);
    m_problem = addLabel(content, *layout, "lessonProblem");
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setProperty("problem", true);
    ui::wrapWords(*m_problem);
    m_problem->hide();
    layout->addStretch(1);
    connect(m_ask, &QPushButton::clicked, this, [this] {
        showAnswer();
        setFocus(Qt::OtherFocusReason);  // the button is gone
    });
    return content;
}

QLayout* LessonPanel::buildButtons() {
    m_back = ui::named(new QPushButton(tr("Back"), this), "lessonBack");
    m_back->setToolTip(tr("The step before (Left or Page Up here, F7 anywhere)"));
    m_place = ui::named(new QPushButton(tr("Show Again"), this), "lessonPlace");
    m_place->setToolTip(tr("Back to the view and the place of this step (F9)"));
    m_next = ui::named(new QPushButton(this), "lessonNext");
    m_next->setToolTip(tr("The next step (Right or Page Down here, F8 anywhere)"));
    auto* layout = new QHBoxLayout;
    layout->setSpacing(ui::Metrics::kSpace2);
    ui::addAll(layout, {m_back, m_place});
    layout->addStretch(1);
    layout->addWidget(m_next);
    connect(m_back, &QPushButton::clicked, this, &LessonPanel::backRequested);
    connect(m_place, &QPushButton::clicked, this, &LessonPanel::placeRequested);
    connect(m_next, &QPushButton::clicked, this, &LessonPanel::nextRequested);
    return layout;
}

void LessonPanel::say(const Said& said, bool asked) {
    m_asked = asked;
    setProblem({});
    m_scroll->verticalScrollBar()->setValue(0);
    update(said);
}

void LessonPanel::update(const Said& said) {
    m_said = said;
    showText();
}

void LessonPanel::showText() {
    m_lesson->setText(m_said.lesson);
    m_progress->setText(tr("%1 of %2").arg(m_said.step + 1).arg(m_said.steps));
    m_heading->setText(m_said.heading);
    m_text->setText(richText(m_said.text));
    m_asking->setVisible(!m_said.question.isEmpty());
    m_question->setText(richText(m_said.question, ui::Theme::strongFont()));
    m_answer->setText(richText(m_said.answer));
    m_answer->setVisible(m_asked);
    m_ask->setVisible(!m_asked);
    m_back->setEnabled(m_said.step > 0);
    m_next->setText(isLast() ? tr("Finish") : tr("Next"));
    setAccessibleName(tr("Lesson %1, step %2 of %3: %4")
                          .arg(m_said.lesson)
                          .arg(m_said.step + 1)
                          .arg(m_said.steps)
                          .arg(m_said.heading));
}

void LessonPanel::showAnswer() {
    if (m_asked || m_said.question.isEmpty())
        return;
    m_asked = true;
    showText();
    m_scroll->widget()->layout()->activate();
    m_scroll->ensureWidgetVisible(m_answer);
    emit answerShown();
}

void LessonPanel::setProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

QString LessonPanel::problem() const {
    return m_problem->text();
}

bool LessonPanel::takeKey(const QKeyEvent& event, bool inButton) {
    if (event.modifiers() != Qt::NoModifier)
        return false;
    switch (event.key()) {
        case Qt::Key_Right:
        case Qt::Key_PageDown:
            emit nextRequested();
            return true;
        case Qt::Key_Left:
        case Qt::Key_PageUp:
            emit backRequested();
            return true;
        case Qt::Key_Escape:
            emit leaveRequested();
            return true;
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (inButton)
                return false;
            if (m_asked || m_said.question.isEmpty())
                emit nextRequested();
            else
                showAnswer();
            return true;
        case Qt::Key_Down:
        case Qt::Key_Up: {
            QScrollBar& bar = *m_scroll->verticalScrollBar();
            bar.setValue(bar.value() + (event.key() == Qt::Key_Down ? 1 : -1) * bar.singleStep());
            return true;
        }
        default:
            return false;
    }
}

void LessonPanel::keyPressEvent(QKeyEvent* event) {
    if (!takeKey(*event, false))
        QFrame::keyPressEvent(event);
}

/// A button would take the arrows for ways to other buttons.
bool LessonPanel::eventFilter(QObject* watched, QEvent* event) {
    return event->type() == QEvent::KeyPress ? takeKey(*static_cast<QKeyEvent*>(event), true)
                                             : QFrame::eventFilter(watched, event);
}

}  // namespace warpglass::app
