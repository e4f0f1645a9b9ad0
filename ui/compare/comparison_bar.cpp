#include "ui/compare/comparison_bar.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <initializer_list>

#include "ui/controls/elided_label.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

constexpr std::array kTableNames = {QT_TR_NOOP("Kernels"), QT_TR_NOOP("Ops"), QT_TR_NOOP("Modules"),
                                    QT_TR_NOOP("Phases"), QT_TR_NOOP("Memory")};
constexpr int kFilterWidth = 150;

int indexOf(ComparedTable table) {
    return static_cast<int>(table);
}

QString withoutBrackets(QString text) {
    const auto open = text.indexOf(QLatin1String(" ("));
    const auto close = text.indexOf(QLatin1Char(')'), std::max<qsizetype>(0, open));
    return open < 0 || close < 0 ? text : text.remove(open, close + 1 - open);
}

}  // namespace

ComparisonBar::ComparisonBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    buildTables();
    buildSteps();
    buildFilter();
    m_words = named(new ElidedLabel(this), "comparedWords");
    setSecondary(m_words);
    auto* bar =
        spaced(new QHBoxLayout(this),
               {Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1}, Metrics::kSpace2);
    for (QWidget* control : std::initializer_list<QWidget*>{m_tables, m_steps, m_tokens})
        bar->addWidget(control);
    bar->addWidget(m_words, 1);
    bar->addWidget(m_filter);
}

void ComparisonBar::buildTables() {
    QStringList names;
    for (const char* name : kTableNames)
        names << tr(name);
    m_tables = new SegmentedControl(names, this);
    setNames(m_tables, "comparisonTables", tr("What is compared"));
    m_tables->button(indexOf(ComparedTable::kKernels))
        ->setToolTip(tr("By launching op and by name; where names differ, by op alone"));
    m_tables->button(indexOf(ComparedTable::kOps))
        ->setToolTip(tr("By op; on a GPU, the time of the kernels that it launched. Memory: what it had "
                        "requested that was live at the peak"));
    m_tables->button(indexOf(ComparedTable::kModules))
        ->setToolTip(tr("By module, including the modules within it. Memory: what they had requested that "
                        "was live at the peak"));
    m_tables->button(indexOf(ComparedTable::kPhases))
        ->setToolTip(tr("By phase; on a GPU, the time of what the phase launched (0 if nothing), and for a "
                        "step of everything. Memory: the peak while the phase ran, in the same steps"));
    m_tables->button(indexOf(ComparedTable::kMemory))->setToolTip(tr("Categories at each run's peak"));
    connect(m_tables, &SegmentedControl::chosen, this, &ComparisonBar::tableChosen);
    setFigureWords(*m_tables, {});  // the line beside them says it
}

void ComparisonBar::buildSteps() {
    m_steps = new SegmentedControl({tr("Mean"), tr("Sum"), tr("One step")}, this);
    setNames(m_steps, "comparedSteps", tr("Which steps are compared"));
    m_steps->button(0)->setToolTip(tr("The mean of the measured steps"));
    m_steps->button(1)->setToolTip(tr("The sum over the measured steps"));
    m_steps->button(2)->setToolTip(tr("The two steps that are aligned"));
    m_steps->setCurrent(0);
    connect(m_steps, &SegmentedControl::chosen, this, &ComparisonBar::scopeChanged);
    setFigureWords(*m_steps, {});
    // It stands beside the choices, and looks as one of them.
    m_tokens = new QFrame(this);
    m_tokens->setProperty("segments", true);
    m_perToken = named(new QToolButton(m_tokens), "comparedPerToken");
    m_perToken->setText(tr("Per token"));
    m_perToken->setProperty("segment", true);
    m_perToken->setAutoRaise(true);
    m_perToken->setFont(Theme::tableFont());
    m_perToken->setCheckable(true);
    m_perToken->setFocusPolicy(Qt::StrongFocus);
    m_perToken->setToolTip(tr(
        "Divides times by the tokens of the steps (batch × context), for runs whose steps differ in size"));
    connect(m_perToken, &QToolButton::clicked, this, &ComparisonBar::scopeChanged);
    auto* tokens = new QHBoxLayout(m_tokens);
    tokens->setContentsMargins(2, 2, 2, 2);
    tokens->addWidget(m_perToken);
    m_tokens->setFixedHeight(Metrics::kControlHeight);
}

void ComparisonBar::buildFilter() {
    m_filter = named(new QLineEdit(this), "comparisonFilter");
    m_filter->setPlaceholderText(tr("Find a name"));
    m_filter->setAccessibleName(tr("Find rows by name"));
    m_filter->setToolTip(
        tr("Shows only rows whose name contains this text, in either run (Ctrl+F). Enter and F3 show the "
           "next one in both timelines; Esc shows all rows again"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFont(Theme::tableFont());
    m_filter->setMaximumWidth(kFilterWidth);
    m_filter->addAction(makeQuietIcon(Icon::kSearch), QLineEdit::LeadingPosition);
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, &ComparisonBar::filterChanged);
}

ComparedTable ComparisonBar::table() const {
    return static_cast<ComparedTable>(std::clamp(tableIndex(), 0, static_cast<int>(kTableNames.size()) - 1));
}

int ComparisonBar::tableIndex() const {
    return m_tables->current();
}

void ComparisonBar::setTableIndex(int index) {
    m_tables->setCurrent(index);
}

QString ComparisonBar::nameOf(ComparedTable table) {
    return tr(kTableNames[static_cast<std::size_t>(table)]);
}

void ComparisonBar::setKernels(bool ofA, bool ofB) {
    const bool any = ofA || ofB, compare = ofA && ofB;
    m_tables->button(indexOf(ComparedTable::kKernels))->setEnabled(any);
    // Two runs swapped stay as they are chosen.
    const bool leave = !any || (!compare && m_kernelsCompare);
    m_kernelsCompare = compare;
    if (m_tables->current() < 0 || (leave && table() == ComparedTable::kKernels))
        m_tables->setCurrent(indexOf(compare ? ComparedTable::kKernels : ComparedTable::kOps));
}

ComparisonScope::Steps ComparisonBar::steps() const {
    return static_cast<ComparisonScope::Steps>(std::max(0, m_steps->current()));
}

void ComparisonBar::setSteps(ComparisonScope::Steps steps) {
    m_steps->setCurrent(static_cast<int>(steps));
}

bool ComparisonBar::perToken() const {
    return m_perToken->isChecked();
}

void ComparisonBar::setPerToken(bool perToken) {
    m_perToken->setChecked(perToken);
}

void ComparisonBar::setTokensKnown(bool known) {
    m_perToken->setEnabled(known);
    if (!known)
        m_perToken->setChecked(false);
}

QString ComparisonBar::filter() const {
    return m_filter->text();
}

void ComparisonBar::openFind() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void ComparisonBar::setFigure(bool figure) {
    for (QWidget* control : std::initializer_list<QWidget*>{m_tables, m_steps, m_tokens, m_filter})
        control->setVisible(!figure);
    // Over the names, where no choices stand before it.
    m_words->setContentsMargins(figure ? Metrics::kSpace1 : 0, 0, 0, 0);
    m_inFigure = figure;
}

void ComparisonBar::setWords(const QString& said) {
    m_words->setText(said);
    // How many steps it was is the first to go, then what memory is of.
    QStringList shorter;
    if (!m_inFigure) {
        shorter << withoutBrackets(said);
        shorter << shorter.first().section(QLatin1Char(';'), 0, 0);
    }
    m_words->setShorterTexts(shorter);
}

bool ComparisonBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_filter || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    switch (key.key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit stepped(key.modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        case Qt::Key_Down:
            emit rowsWanted();
            return true;
        case Qt::Key_Escape:
            m_filter->clear();
            emit findLeft();
            return true;
        default:
            return false;
    }
}

}  // namespace warpglass::ui
