#include "ui/compare/comparison_head.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <functional>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/activity/conditions.h"
#include "ui/charts/bridge_chart.h"
#include "ui/compare/landmark_chooser.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/summary_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Fits "A step 10 · warm-up".
constexpr int kStepWidth = 152;
constexpr int kHeadlineSize = 15;
/// Wide enough for both ways from A to B in one line.
constexpr int kWide = 1100;

QString colored(const QString& text, const QColor& color) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color.name(), text.toHtmlEscaped());
}

/// "precision fp32 → bf16", "attention naive → sdpa-flash"; what a person did not choose is left out.
QStringList settingsTexts(const std::vector<RunComparison::Setting>& settings) {
    QStringList parts;
    for (const RunComparison::Setting& setting : settings) {
        const std::string key = setting.key.substr(std::string_view("config.").size());
        if (key == "record")
            continue;
        const auto word = [&setting](const std::string& value) {
            return value.empty() ? ComparisonHead::tr("not stated") : toQString(settingWords(setting, value));
        };
        parts << QStringLiteral("%1 %2 → %3")
                     .arg(toQString(key).replace(QLatin1Char('-'), QLatin1Char(' ')), word(setting.a),
                          word(setting.b));
    }
    return parts;
}

/// What became of what stays in one line.
QString keptTogether(QString text) {
    return text.replace(QStringLiteral(" → "), QStringLiteral("\u00A0→\u00A0"));
}

/// With less and more in the colors that the tables have them in.
QString headlineText(const ComparisonHeadline& headline, ComparisonHeadline::Length length) {
    const ThemeColors& colors = Theme::instance().colors();
    QStringList parts;
    for (const ComparisonHeadline::Part& part : headline.parts(length)) {
        const QString rest = toQString(part.rest).toHtmlEscaped();
        if (part.trend == 0)
            parts << keptTogether(toQString(part.lead).toHtmlEscaped()) + rest;
        else
            parts << colored(toQString(part.lead),
                             Theme::readableOn(part.trend < 0 ? colors.less : colors.more, colors.panel)) +
                         rest;
    }
    return parts.join(QStringLiteral(" · "));
}

QString withNotes(const QString& differences, qsizetype notes) {
    return notes == 0   ? differences
           : notes == 1 ? ComparisonHead::tr("%1 · 1 note").arg(differences)
                        : ComparisonHead::tr("%1 · %2 notes").arg(differences).arg(notes);
}

/// "2 differences · 1 note".
QString countsText(qsizetype settings, qsizetype notes) {
    return withNotes(settings == 0   ? ComparisonHead::tr("Same configuration")
                     : settings == 1 ? ComparisonHead::tr("1 difference")
                                     : ComparisonHead::tr("%1 differences").arg(settings),
                     notes);
}

/// What stands in it is said by a figure as one of its settings.
class ToldBar : public QWidget, public FigureControl {
public:
    ToldBar(std::function<QString()> words, QWidget* parent) : QWidget(parent), m_words(std::move(words)) {}
    QString figureWords() const override { return m_words(); }

private:
    std::function<QString()> m_words;
};

template <typename Label = QLabel>
Label* addText(QWidget* parent, const char* name, Qt::TextFormat format) {
    auto* label = named(new Label(parent), name);
    label->setTextFormat(format);
    wrapWords(*label);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

ComboBox* addSteps(QWidget* parent, const QString& run, const char* name) {
    auto* steps = new ComboBox(parent);
    steps->setObjectName(QString::fromLatin1(name));
    steps->setAccessibleName(ComparisonHead::tr("Step of %1").arg(run));
    steps->setToolTip(
        ComparisonHead::tr("The step of %1 that is aligned, and that \"One step\" compares").arg(run));
    steps->setFixedWidth(kStepWidth);
    setFigureWords(*steps, {});  // the head says it
    return steps;
}

}  // namespace

ComparisonHead::ComparisonHead(QWidget* parent) : QWidget(parent) {
    buildTexts();
    // In the order of the page: so Tab goes through them.
    buildButtons();
    buildBar();

    auto* names = spaced(new QHBoxLayout, {}, Metrics::kSpace4);
    names->addWidget(m_titles);
    names->addWidget(m_settings, 1);
    auto* first = new QHBoxLayout;
    first->setSpacing(Metrics::kSpace2);
    first->addWidget(m_headline, 1);
    for (QWidget* button : std::initializer_list<QWidget*>{m_fold, m_swap, m_close})
        first->addWidget(button, 0, Qt::AlignVCenter);
    auto* column =
        spaced(new QVBoxLayout(this),
               {Metrics::kSpace4, Metrics::kSpace1, Metrics::kSpace4, Metrics::kSpace1}, Metrics::kSpace1);
    column->addLayout(names);
    column->addWidget(m_cautions);
    column->addLayout(first);
    m_bridges = new QVBoxLayout;
    m_bridges->setSpacing(0);
    m_bridges->addWidget(m_timeBridge, 3);
    m_bridges->addWidget(m_memoryBridge, 2);
    column->addLayout(m_bridges);
    for (QWidget* line : std::initializer_list<QWidget*>{m_notes, m_bar})
        column->addWidget(line);
    showDetails();
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        showTitles();
        showFacts();
    });
}

void ComparisonHead::buildTexts() {
    m_titles = addText<SentenceLabel>(this, "comparisonTitles", Qt::RichText);
    m_titles->setFigureText(QStringLiteral(""));
    m_titles->setFont(Theme::strongFont());
    m_titles->setWordWrap(false);
    m_settings = addText<SentenceLabel>(this, "comparisonSettings", Qt::PlainText);
    setFigureWords(*m_settings, {});  // its own, also where it is folded away
    m_settings->setProperty("secondary", true);
    m_cautions = addText(this, "comparisonCautions", Qt::PlainText);
    m_cautions->setProperty("problem", true);
    m_cautions->hide();
    m_headline = addText<SentenceLabel>(this, "comparisonHeadline", Qt::RichText);
    m_headline->setFigureText(QStringLiteral(""));
    m_headline->setFont(titleFont(kHeadlineSize));
    m_timeBridge = named(new BridgeChart(tr("Time per step"), this), "comparisonBridge");
    m_memoryBridge = named(new BridgeChart(tr("Peak memory"), this), "comparisonMemoryBridge");
    m_notes = addText(this, "comparisonNotes", Qt::PlainText);
    m_notes->setProperty("problem", true);
}

void ComparisonHead::buildButtons() {
    m_fold = named(new QToolButton(this), "comparisonDetails");
    m_fold->setProperty("chip", true);
    m_fold->setFont(Theme::tableFont());
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setCheckable(true);
    m_fold->setFixedHeight(Metrics::kControlHeight);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    connect(m_fold, &QToolButton::clicked, this, [this](bool open) {
        m_choice = open;
        showDetails();
    });
    m_swap = named(new QPushButton(tr("Swap"), this), "swapRuns");
    m_swap->setToolTip(tr("Swaps A and B; the selection and the zoom stay (X)"));
    connect(m_swap, &QPushButton::clicked, this, &ComparisonHead::swapRequested);
    m_close = named(new QPushButton(tr("Close"), this), "closeComparison");
    m_close->setToolTip(tr("Back to one run (Esc)"));
    connect(m_close, &QPushButton::clicked, this, &ComparisonHead::closeRequested);
}

void ComparisonHead::buildBar() {
    m_bar = new ToldBar([this] { return alignedWords(); }, this);
    m_stepsA = addSteps(m_bar, tr("A"), "stepOfA");
    m_stepsB = addSteps(m_bar, tr("B"), "stepOfB");
    for (ComboBox* steps : {m_stepsA, m_stepsB})
        connect(steps, &QComboBox::activated, this,
                [this] { emit stepsChosen(m_stepsA->currentIndex(), m_stepsB->currentIndex()); });
    auto* at = new QLabel(tr("Aligned at"), m_bar);
    at->setProperty("secondary", true);
    m_landmark = named(new LandmarkChooser(m_bar), "landmarkChooser");
    m_nameA = new ElidedLabel(m_bar);
    m_nameA->setProperty("secondary", true);
    m_nameB = new ElidedLabel(m_bar);
    m_nameB->setProperty("accentText", true);
    for (ElidedLabel* name : {m_nameA, m_nameB}) {
        name->setFont(Theme::strongFont());
        name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    }
    auto* bar = spaced(new QHBoxLayout(m_bar), {}, Metrics::kSpace2);
    for (QWidget* control :
         std::initializer_list<QWidget*>{m_nameA, m_stepsA, m_nameB, m_stepsB, at, m_landmark})
        bar->addWidget(control);
    bar->addStretch(1);
}

void ComparisonHead::setRoomy(bool roomy) {
    m_roomy = roomy;
    showDetails();
}

void ComparisonHead::setDetailsChoice(std::optional<bool> open) {
    m_choice = open;
    showDetails();
}

void ComparisonHead::showDetails() {
    const bool open = m_inFigure || m_choice.value_or(m_roomy);
    m_fold->setVisible(m_facts && !m_inFigure);
    m_fold->setChecked(open);
    m_fold->setIcon(makeQuietIcon(open ? Icon::kChevronUp : Icon::kChevronDown));
    m_titles->setVisible(open && !m_inFigure);
    m_settings->setVisible(open && !m_inFigure);
    m_notes->setVisible(open && !m_notes->text().isEmpty());
    m_nameA->setVisible(!open);
    m_nameB->setVisible(!open);
    showHeadline();
    showBridges();
}

void ComparisonHead::setTitles(const QString& a, const QString& b) {
    m_titleA = a;
    m_titleB = b;
    showTitles();
}

void ComparisonHead::showTitles() {
    const ThemeColors& colors = Theme::instance().colors();
    m_titles->setText(tr("A  %1   ·   B  %2")
                          .arg(colored(m_titleA, colors.secondaryText), colored(m_titleB, colors.accent)));
    m_nameA->setText(m_titleA);
    m_nameB->setText(m_titleB);
}

void ComparisonHead::setComputing() {
    m_facts.reset();
    setBridges(std::nullopt, std::nullopt);
    m_headline->setText(tr("Comparing…"));
    m_headline->setToolTip({});
    m_settings->clear();
    m_notes->clear();
    m_cautions->clear();
    m_cautions->hide();
    m_fold->setText({});
    m_fold->setAccessibleName({});
    m_fold->setToolTip({});
    showDetails();
}

void ComparisonHead::setFailed() {
    m_headline->setText(tr("The runs could not be compared"));
}

void ComparisonHead::setFacts(std::shared_ptr<const ComparisonFacts> facts) {
    m_facts = std::move(facts);
    m_comparison = m_facts ? m_facts->mean->headline : ComparisonHeadline();
    showFacts();
}

void ComparisonHead::setHeadline(ComparisonHeadline headline) {
    m_comparison = std::move(headline);
    showHeadline();
}

void ComparisonHead::setBridges(const std::optional<Bridge>& time, const std::optional<Bridge>& memory) {
    m_timeBridge->setBridge(time);
    m_memoryBridge->setBridge(memory);
    showBridges();
}

/// Beside each other where both have room; in a low and narrow view that of time alone.
void ComparisonHead::showBridges() {
    const bool wide = width() >= kWide;
    m_bridges->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    for (BridgeChart* bridge : {m_timeBridge, m_memoryBridge})
        bridge->setLow(!m_roomy && !m_inFigure);
    m_timeBridge->setVisible(m_timeBridge->hasBridge());
    m_memoryBridge->setVisible(m_memoryBridge->hasBridge() &&
                               (wide || m_roomy || m_inFigure || !m_timeBridge->hasBridge()));
}

void ComparisonHead::showFacts() {
    if (!m_facts)
        return;
    const QStringList settings = settingsTexts(m_facts->mean->rows.settings);
    m_settings->setText(settings.isEmpty() ? tr("The same configuration")
                                           : settings.join(QStringLiteral(" · ")));
    QStringList notes;
    for (const std::string& note : m_facts->notes)
        notes << toQString(note);
    m_notes->setText(notes.join(QLatin1Char(' ')));
    m_cautions->setText(toQString(joinedSentences(m_facts->cautions)));
    m_cautions->setVisible(!m_facts->cautions.empty());
    m_counts = countsText(settings.size(), notes.size());
    m_differences =
        settings.isEmpty() ? m_counts : withNotes(settings.join(QStringLiteral(" · ")), notes.size());
    m_fold->setAccessibleName(m_counts);
    m_fold->setToolTip((QStringList{m_settings->text()} + notes).join(QLatin1Char('\n')));
    showDetails();
}

void ComparisonHead::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showHeadline();
    showBridges();
}

/// As much of it as has room in its line, in a low view without the figures; all is its tool tip. What is
/// folded away stands on its button in words where these leave room for the headline, else as a number.
void ComparisonHead::showHeadline() {
    if (!m_facts)
        return;
    const QFontMetrics metrics(m_headline->font()), buttons(m_fold->font());
    int room = width() - 2 * Metrics::kSpace4;
    for (const QWidget* button : std::initializer_list<const QWidget*>{m_fold, m_swap, m_close})
        room -= button->sizeHint().width() + Metrics::kSpace2;
    // As if the button had the shorter of its texts.
    room += buttons.horizontalAdvance(m_fold->text()) - buttons.horizontalAdvance(m_counts);
    using Length = ComparisonHeadline::Length;
    const auto fits = [&](Length length, int besides) {
        return metrics.horizontalAdvance(toQString(m_comparison.text(length))) + besides <= room;
    };
    Length length = m_roomy ? Length::kFull : Length::kBrief;
    while (length != Length::kBrief && !fits(length, 0))
        length = static_cast<Length>(static_cast<int>(length) - 1);
    const int longer = buttons.horizontalAdvance(m_differences) - buttons.horizontalAdvance(m_counts);
    m_fold->setText(!m_fold->isChecked() && fits(length, longer) ? m_differences : m_counts);
    const QString headline = headlineText(m_comparison, length);
    // Else the narrow space between a number and its unit would be one that a line breaks at.
    m_headline->setText(headline.isEmpty()
                            ? tr("The runs have no step and no memory in common")
                            : QStringLiteral("<span style=\"white-space:pre-wrap\">%1</span>").arg(headline));
    m_headline->setToolTip(length == Length::kFull ? QString() : toQString(m_comparison.text()));
}

void ComparisonHead::setSteps(const std::vector<ComparedStep>& a, const std::vector<ComparedStep>& b) {
    const auto fill = [](ComboBox& combo, const QString& run, const std::vector<ComparedStep>& steps) {
        combo.clear();
        for (const ComparedStep& step : steps) {
            const QString state = step.state == ComparedStep::State::kWarmup   ? tr(" · warm-up")
                                  : step.state == ComparedStep::State::kCutOff ? tr(" · cut off")
                                                                               : QString();
            combo.addItem(tr("%1 step %2%3").arg(run).arg(step.span.step).arg(state));
            combo.setItemData(combo.count() - 1, toQString(formatDuration(step.span.range.duration())),
                              Qt::ToolTipRole);
        }
        if (steps.empty())
            combo.addItem(tr("%1 has no step").arg(run));
        combo.setEnabled(!steps.empty());
    };
    fill(*m_stepsA, tr("A"), a);
    fill(*m_stepsB, tr("B"), b);
}

void ComparisonHead::setChosenSteps(int a, int b) {
    m_stepsA->setCurrentIndex(qMax(0, a));
    m_stepsB->setCurrentIndex(qMax(0, b));
}

void ComparisonHead::setAlignedAt(const QString& what) {
    m_landmark->setChosen(what);
    m_alignedAt = what;
}

QString ComparisonHead::alignedWords() const {
    const QString a = m_stepsA->currentText(), b = m_stepsB->currentText();
    const bool same = a.section(u' ', 1) == b.section(u' ', 1);
    return tr("aligned at %1 (%2)")
        .arg(m_alignedAt, same ? tr("%1 in both").arg(a.section(u' ', 1)) : tr("%1, %2").arg(a, b));
}

void ComparisonHead::setFigure(bool figure) {
    m_inFigure = figure;
    showDetails();
}

Heading ComparisonHead::heading() const {
    const QString headline = toQString(m_comparison.text(ComparisonHeadline::Length::kSentence));
    return {tr("%1 (A) against %2 (B)").arg(m_titleA, m_titleB),
            m_facts && !headline.isEmpty() ? headline + QLatin1Char('.') : QString()};
}

}  // namespace warpglass::ui
