#include "ui/panels/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/controls/summary_label.h"
#include "ui/controls/tab_room.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// Beside the buttons there is this much room for what came of it, as much as it mostly takes, or it stands
/// on a line of its own: so it does not change its place with every letter that is typed.
constexpr int kUsualSummary = 400;
constexpr int kSummaryStretch = 3;

QToolButton* barButton(const char* property, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty(property, true);
    button->setFont(Theme::tableFont());
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

}  // namespace

FindBar::FindBar(QWidget* parent)
    : QWidget(parent),
      m_field(new QLineEdit(this)),
      m_expression(barButton("chip", this)),
      m_within(barButton("chip", this)),
      m_previous(barButton("segment", this)),
      m_next(barButton("segment", this)),
      m_summary(named(new SummaryLabel(this), "findSummary")) {
    buildField();
    auto* lines = spaced(new QVBoxLayout(this),
                         {Metrics::kSpace2, TabRoom::kBarMargin, Metrics::kSpace3, TabRoom::kBarMargin}, 0);
    auto* bar = m_first = new QHBoxLayout;
    bar->setSpacing(Metrics::kSpace1);
    m_second = new QHBoxLayout;
    m_second->setContentsMargins(Metrics::kSpace1, 0, 0, 0);
    m_second->addWidget(new TabRoom(this));
    lines->addLayout(m_first);
    lines->addLayout(m_second);
    bar->addWidget(new TabRoom(this));
    bar->addWidget(m_field, 2);
    bar->addWidget(m_expression);
    buildKinds();
    for (QToolButton* kind : m_kinds)
        bar->addWidget(kind);
    buildSteps();
    setSecondary(m_summary);
    addAll(bar, {m_within, m_previous, m_next});
    bar->addSpacing(Metrics::kSpace1);
    bar->addWidget(m_summary, kSummaryStretch);
}

void FindBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeSummary();
}

int FindBar::controlsWidth() const {
    const QMargins margins = layout()->contentsMargins();
    // The field grows before what came of it has all that it asks for.
    int width = margins.left() + margins.right() + m_field->maximumWidth() - m_field->sizeHint().width();
    for (int i = 0; i < m_first->count(); ++i) {
        const QLayoutItem* item = m_first->itemAt(i);
        const int wanted = item->widget() == m_summary ? 0 : item->sizeHint().width();
        width += wanted > 0 ? wanted + m_first->spacing() : 0;  // 0 where it is hidden
    }
    return width;
}

void FindBar::placeSummary() {
    const int needed = std::max(kUsualSummary, m_summary->sizeHint().width());
    const bool under = width() < controlsWidth() + needed;
    if (under == m_under)
        return;
    m_under = under;
    (under ? m_first : m_second)->removeWidget(m_summary);
    (under ? m_second : m_first)->addWidget(m_summary, kSummaryStretch);
}

void FindBar::buildField() {
    setNames(m_field, "findField", tr("Find"));
    m_field->setToolTip(
        tr("Finds names that contain this text, in upper or lower case; for kernels, the whole signature "
           "counts.\nEnter goes to the next match, Shift+Enter to the previous one"));
    m_field->setClearButtonEnabled(true);
    m_field->setFont(Theme::tableFont());
    m_field->setMinimumWidth(120);
    m_field->setMaximumWidth(280);
    m_field->addAction(makeQuietIcon(Icon::kSearch), QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &FindBar::changed);
    m_expression->setObjectName(QStringLiteral("findExpression"));
    m_expression->setText(QStringLiteral(".*"));
    m_expression->setAccessibleName(tr("Regular expression"));
    m_expression->setToolTip(tr("The text is a regular expression: gemm|mm, ^aten::.*_backward$"));
    m_expression->setCheckable(true);
    connect(m_expression, &QToolButton::toggled, this, &FindBar::changed);
}

void FindBar::buildKinds() {
    const std::pair<QString, QString> kinds[] = {
        {tr("Kernels"), tr("Kernels, copies and fills")},
        {tr("Ops"), tr("ATen ops")},
        {tr("Modules"), tr("Steps, phases, modules and their parts")},
        {tr("Calls"), tr("Calls into CUDA, and waits for it")}};
    for (const auto& [title, toolTip] : kinds) {
        auto* button = barButton("chip", this);
        button->setObjectName(QStringLiteral("findKind%1").arg(m_kinds.size()));
        button->setText(title);
        button->setToolTip(tr("Searches: %1").arg(toolTip));
        makeCheckable(button, true);
        connect(button, &QToolButton::toggled, this, &FindBar::changed);
        m_kinds.push_back(button);
    }
}

void FindBar::buildSteps() {
    m_within->setObjectName(QStringLiteral("findWithin"));
    m_within->setCheckable(true);
    connect(m_within, &QToolButton::toggled, this, [this](bool on) {
        (m_scope == Scope::kFilter ? m_withinFilter : m_withinSteps) = on;
        emit changed();
    });
    m_previous->setObjectName(QStringLiteral("findPrevious"));
    m_previous->setIcon(makeQuietIcon(Icon::kChevronUp));
    m_previous->setAccessibleName(tr("Previous match"));
    m_previous->setToolTip(tr("Previous match (Shift+F3)"));
    connect(m_previous, &QToolButton::clicked, this, [this] { emit stepRequested(false); });
    m_next->setObjectName(QStringLiteral("findNext"));
    m_next->setIcon(makeQuietIcon(Icon::kChevronDown));
    m_next->setAccessibleName(tr("Next match"));
    m_next->setToolTip(tr("Next match (F3)"));
    connect(m_next, &QToolButton::clicked, this, [this] { emit stepRequested(true); });
}

QString FindBar::text() const {
    return m_field->text();
}

bool FindBar::isExpression() const {
    return m_expression->isChecked();
}

std::array<bool, kSearchKindCount> FindBar::kinds() const {
    std::array<bool, kSearchKindCount> kinds{};
    for (std::size_t k = 0; k < kinds.size(); ++k)
        kinds[k] = m_kinds[k]->isChecked();
    return kinds;
}

void FindBar::setPattern(const QString& text, bool expression) {
    m_expression->setChecked(expression);
    m_field->setText(text);
}

void FindBar::focusField() {
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FindBar::offerScope(Scope scope, const QString& words) {
    const QSignalBlocker quiet(m_within);
    m_scope = scope;
    m_within->setVisible(scope != Scope::kNone);
    m_within->setChecked(scope == Scope::kFilter ? m_withinFilter : m_withinSteps);
    m_within->setText(scope == Scope::kFilter ? tr("Within the filter") : tr("Measured steps only"));
    m_within->setToolTip(scope == Scope::kFilter ? tr("Searches only what the filter includes: %1").arg(words)
                                                 : tr("Searches only the measured steps, which the tables "
                                                      "count; when off, also set-up and warm-up"));
    m_within->setAccessibleName(scope == Scope::kFilter ? tr("Within the filter: %1").arg(words)
                                                        : tr("Within the measured steps"));
    placeSummary();
}

bool FindBar::isWithin() const {
    return m_scope != Scope::kNone && m_within->isChecked();
}

void FindBar::say(const QString& sentence, bool problem, const QString& toolTip) {
    m_summary->setProperty("secondary", !problem);
    restyle(*m_summary, "problem", problem);
    m_summary->setText(sentence);
    m_summary->setFigureText(problem ? QString() : QStringLiteral(""));  // the head says what was found
    m_summary->setToolTip(toolTip);
    placeSummary();
}

QString FindBar::sentence() const {
    return m_summary->text();
}

void FindBar::setStepsEnabled(bool enabled) {
    m_previous->setEnabled(enabled);
    m_next->setEnabled(enabled);
}

QString FindBar::figureWords() const {
    if (m_field->text().isEmpty())
        return {};
    QStringList kinds;
    for (const QToolButton* kind : m_kinds) {
        if (kind->isChecked())
            kinds << kind->text().toLower();
    }
    // A kernel's whole signature has no place to be broken at.
    const QString all = m_field->text();
    const QString text =
        QStringLiteral("“%1”").arg(all.size() <= 48 ? all : all.left(24) + QChar(0x2026) + all.right(20));
    return kinds.size() == std::ssize(m_kinds)
               ? text
               : tr("%1 among %2").arg(text, kinds.join(QStringLiteral(", ")));
}

/// In a field that is too narrow for it, words that fit.
void FindBar::fitPlaceholder() {
    constexpr int kBesideText = 44;  // the icon and the margins
    const QString all = tr("Find kernels, ops, modules, calls");
    const bool fits = m_field->fontMetrics().horizontalAdvance(all) <= m_field->width() - kBesideText;
    m_field->setPlaceholderText(fits ? all : tr("Find a name"));
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::Resize)
        fitPlaceholder();
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit stepRequested(!(key->modifiers() & Qt::ShiftModifier));
            return true;
        case Qt::Key_Down:
            emit listRequested();
            return true;
        case Qt::Key_Escape:
            if (m_field->text().isEmpty())
                break;
            m_field->clear();
            return true;
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace warpglass::ui
