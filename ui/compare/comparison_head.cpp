#include "ui/compare/comparison_head.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/base/format.h"
#include "ui/compare/landmark_chooser.h"
#include "ui/models/table_model.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// Fits "A step 10 · warm-up".
constexpr int kStepWidth = 152;
constexpr int kHeadlineSize = 15;

QString colored(const QString& text, const QColor& color) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color.name(), text.toHtmlEscaped());
}

/// "precision fp32 → bf16 · attention naive → sdpa-flash"; what a person did not choose is left out.
QString settingsText(const std::vector<RunComparison::Setting>& settings) {
    QStringList parts;
    for (const RunComparison::Setting& setting : settings) {
        const std::string key = setting.key.substr(std::string_view("config.").size());
        if (key == "record" || key == "memory-limit")
            continue;
        const auto word = [](const std::string& value) {
            return value.empty() ? ComparisonHead::tr("not stated") : toQString(value);
        };
        parts << QStringLiteral("%1 %2 → %3").arg(toQString(key), word(setting.a), word(setting.b));
    }
    return parts.isEmpty() ? ComparisonHead::tr("The same configuration")
                           : parts.join(QStringLiteral("  ·  "));
}

/// Less and more in the colours that the tables have them in.
QString headlineText(const ComparisonHeadline& headline) {
    const ThemeColors& colors = Theme::instance().colors();
    QStringList parts;
    for (const ComparisonHeadline::Part& part : headline.parts()) {
        const QString rest = toQString(part.rest).toHtmlEscaped();
        if (part.trend == 0)
            parts << toQString(part.lead).toHtmlEscaped() + rest;
        else
            parts << colored(toQString(part.lead),
                             Theme::readableOn(part.trend < 0 ? colors.less : colors.more, colors.panel)) +
                         rest;
    }
    return parts.join(QStringLiteral(" · "));
}

QLabel* addText(QWidget* parent, const char* name, Qt::TextFormat format) {
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setTextFormat(format);
    label->setWordWrap(true);
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
    m_titles = addText(this, "comparisonTitles", Qt::RichText);
    m_titles->setFont(Theme::strongFont());
    m_titles->setWordWrap(false);
    m_settings = addText(this, "comparisonSettings", Qt::PlainText);
    m_settings->setProperty("secondary", true);
    m_headline = addText(this, "comparisonHeadline", Qt::RichText);
    QFont headlineFont = Theme::textFont();
    headlineFont.setPixelSize(kHeadlineSize);
    headlineFont.setWeight(QFont::DemiBold);
    m_headline->setFont(headlineFont);
    m_notes = addText(this, "comparisonNotes", Qt::PlainText);
    m_notes->setProperty("problem", true);
    m_choices = addText(this, "comparisonChoices", Qt::PlainText);
    m_choices->setProperty("secondary", true);
    m_choices->hide();

    m_swap = new QPushButton(tr("Swap"), this);
    m_swap->setObjectName(QStringLiteral("swapRuns"));
    m_swap->setToolTip(tr("A becomes B and B becomes A; what is chosen and the zoom stay (X)"));
    connect(m_swap, &QPushButton::clicked, this, &ComparisonHead::swapRequested);
    m_close = new QPushButton(tr("Close"), this);
    m_close->setObjectName(QStringLiteral("closeComparison"));
    m_close->setToolTip(tr("Back to one run (Esc)"));
    connect(m_close, &QPushButton::clicked, this, &ComparisonHead::closeRequested);

    m_bar = new QWidget(this);
    auto* at = new QLabel(tr("Aligned at"), m_bar);
    at->setProperty("secondary", true);
    m_landmark = new LandmarkChooser(m_bar);
    m_landmark->setObjectName(QStringLiteral("landmarkChooser"));
    m_stepsA = addSteps(m_bar, tr("A"), "stepOfA");
    m_stepsB = addSteps(m_bar, tr("B"), "stepOfB");
    for (ComboBox* steps : {m_stepsA, m_stepsB})
        connect(steps, &QComboBox::activated, this,
                [this] { emit stepsChosen(m_stepsA->currentIndex(), m_stepsB->currentIndex()); });
    m_message = new ElidedLabel(m_bar);
    m_message->setObjectName(QStringLiteral("comparisonMessage"));
    m_message->setFont(Theme::tableFont());
    auto* bar = new QHBoxLayout(m_bar);
    bar->setContentsMargins(0, Metrics::kSpace1, 0, 0);
    bar->setSpacing(Metrics::kSpace2);
    for (QWidget* control : std::initializer_list<QWidget*>{at, m_landmark, m_stepsA, m_stepsB})
        bar->addWidget(control);
    bar->addWidget(m_message, 1);

    auto* first = new QHBoxLayout;
    first->setSpacing(Metrics::kSpace2);
    first->addWidget(m_titles);
    first->addSpacing(Metrics::kSpace2);
    first->addWidget(m_settings, 1);
    first->addWidget(m_swap);
    first->addWidget(m_close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Metrics::kSpace4, Metrics::kSpace2, Metrics::kSpace4, Metrics::kSpace2);
    column->setSpacing(Metrics::kSpace1);
    column->addLayout(first);
    for (QWidget* line : std::initializer_list<QWidget*>{m_headline, m_notes, m_choices, m_bar})
        column->addWidget(line);
    m_notes->hide();
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        showTitles();
        showFacts();
    });
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
}

void ComparisonHead::setComputing() {
    m_facts.reset();
    m_headline->setText(tr("Comparing…"));
    m_settings->clear();
    m_notes->hide();
}

void ComparisonHead::setFailed() {
    m_headline->setText(tr("The runs could not be compared"));
}

void ComparisonHead::setFacts(const ComparisonFacts& facts) {
    m_facts = std::make_shared<const ComparisonFacts>(facts);
    showFacts();
}

void ComparisonHead::showFacts() {
    if (!m_facts)
        return;
    const QString headline = headlineText(m_facts->headline);
    m_headline->setText(headline.isEmpty() ? tr("The runs have no step and no memory in common") : headline);
    m_settings->setText(settingsText(m_facts->mean->rows.settings));
    QStringList notes;
    for (const std::string& note : m_facts->notes)
        notes << toQString(note);
    m_notes->setText(notes.join(QLatin1Char(' ')));
    m_notes->setVisible(!notes.isEmpty());
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

void ComparisonHead::setLandmark(const Landmark& landmark) {
    m_landmark->setChosen(landmark);
    m_landmarkText = toQString(landmark.text());
}

void ComparisonHead::setMessage(const QString& rich) {
    m_message->setText(rich);
}

void ComparisonHead::setFigure(bool figure) {
    m_choices->setText(
        tr("Aligned at: %1 (%2, %3)").arg(m_landmarkText, m_stepsA->currentText(), m_stepsB->currentText()));
    m_choices->setVisible(figure);
    for (QWidget* control : std::initializer_list<QWidget*>{m_bar, m_swap, m_close})
        control->setVisible(!figure);
}

}  // namespace warpglass::ui
