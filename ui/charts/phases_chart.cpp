#include "ui/charts/phases_chart.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/format.h"
#include "engine/query/statistics/time_sentences.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kWidePanel = 360, kNarrowPanel = 190, kFlatPanel = 110, kFigurePanel = 130;
constexpr double kTitle = 40, kFlatTitle = 20, kScaleWidth = 66, kSteps = 20;
constexpr double kTickRoom = 20;  // a tick's label and what keeps it from the next
constexpr double kDot = 4, kReach = 9;
constexpr double kStepsPanel = 1.5;     // as wide as so many others in a row with it
constexpr std::size_t kMostValues = 8;  // steps whose values are written beside their dots
constexpr double kValueHeight = 14;

/// One that is readable on the background: phases' colors are those of areas.
QColor inkOf(Phase phase) {
    const Theme& theme = Theme::instance();
    return phase == Phase::kNone ? theme.colors().accent
                                 : Theme::readableOn(theme.phaseColor(phase), theme.colors().background);
}

/// How far a phase's steps reach from their middle, ns.
double reachOf(const PhaseSamples& phase, double middle) {
    const double band = phase.showsDeviation() ? phase.standardDeviation * 1.2 : 0;
    return std::max({band, 1.15 * (static_cast<double>(phase.max.value) - middle),
                     1.15 * (middle - static_cast<double>(phase.min.value))});
}

/// One scale for all, so that the same height is the same time: the farthest that any phase's steps reach,
/// but at least so much of the longest that the last digit is not drawn as a storm, and at most all of it:
/// what is farther off has its time in words.
double commonSpan(const std::vector<PhaseSamples>& phases) {
    constexpr double kLeastReach = 0.03;
    double longest = 0, reach = 0;
    for (const PhaseSamples& phase : phases) {
        if (phase.counted == 0)
            continue;
        longest = std::max(longest, PhasesChart::middleOf(phase));
        reach = std::max(reach, reachOf(phase, PhasesChart::middleOf(phase)));
    }
    return std::max(2.0, 2 * std::clamp(reach, kLeastReach * longest, longest));
}

/// Round values on the scale, so many at most that their labels do not meet.
std::vector<double> ticksBetween(double low, double high, double height) {
    std::vector<double> ticks;
    const std::vector<double> steps =
        linearTicks(high - low, std::clamp(static_cast<int>(height / kTickRoom), 1, 6));
    const double step = steps.size() > 1 ? steps[1] : high - low;
    for (double tick = std::ceil(low / step) * step; step > 0 && tick <= high; tick += step)
        ticks.push_back(tick);
    return ticks;
}

/// The room of words and panels in a chart of that width.
double widthWithin(double width) {
    return width - Metrics::kSpace3 - Metrics::kSpace4;
}

/// Words take one line or several in that width.
double heightOf(const QString& words, double width, const QPaintDevice& device) {
    if (words.isEmpty())
        return 0;
    return QFontMetricsF(chartFont(), &device)
               .boundingRect(QRectF(0, 0, width, 1000), Qt::TextWordWrap, words)
               .height() +
           Metrics::kSpace2;
}

}  // namespace

PhasesChart::PhasesChart(QWidget* parent) : MarkChart(parent) {
    setObjectName(QStringLiteral("phasesChart"));
    setAccessibleName(tr("Phases of every step"));
}

void PhasesChart::setPhases(std::vector<PhaseSamples> phases) {
    m_note = toQString(quietPhasesSentence(phases));
    m_phases = std::move(phases);
    if (stepsOf(m_phases)) {
        std::erase_if(m_phases, [steps = m_phases.back()](const PhaseSamples& phase) {
            return phase.phase != Phase::kNone && !movesSteps(phase, steps);
        });
        std::rotate(m_phases.begin(), m_phases.end() - 1, m_phases.end());
    }
    m_scales.clear();
    m_firstMark.clear();
    m_marks.clear();
    m_firstStep = std::numeric_limits<std::int32_t>::max();
    m_lastStep = 0;
    const double span = commonSpan(m_phases);
    for (std::size_t p = 0; p < m_phases.size(); ++p) {
        const PhaseSamples& phase = m_phases[p];
        double longest = 1;
        for (const PhaseSample& sample : phase.samples)
            longest = std::max(longest, static_cast<double>(sample.duration.value));
        const double low = std::max(0.0, middleOf(phase) - span / 2);
        // Where nothing counts, dots are told apart all the same.
        m_scales.push_back(phase.counted > 0 ? Scale{low, low + span} : Scale{0, 1.25 * longest});
        m_firstMark.push_back(m_marks.size());
        for (std::size_t s = 0; s < phase.samples.size(); ++s) {
            m_marks.push_back({p, s});
            m_firstStep = std::min(m_firstStep, phase.samples[s].step);
            m_lastStep = std::max(m_lastStep, phase.samples[s].step);
        }
    }
    m_legend = legendOfMarks();
    arrange(*this);
    invalidate();
}

QString PhasesChart::legendOfMarks() const {
    constexpr const char* kSigns[3][3] = {{"●", "▲", "▼"}, {"○", "△", "▽"}, {"×", "△", "▽"}};
    const QString kinds[] = {tr("measured step"), tr("warm-up step"), tr("step cut off by the run's end")};
    const QString places[] = {QString(), tr(" above the scale"), tr(" below the scale")};
    bool seen[3][3] = {};
    for (int mark = 0; mark < markCount(); ++mark) {
        const PhaseSample& sample = sampleOf(mark);
        const double low = m_scales[m_marks[static_cast<std::size_t>(mark)].phase].low;
        const bool under = static_cast<double>(sample.duration.value) < low;
        seen[sample.counted ? 0 : sample.warmup ? 1 : 2][!isBeyond(mark) ? 0 : under ? 2 : 1] = true;
    }
    QStringList items;
    for (int kind = 0; kind < 3; ++kind) {
        for (int place = 0; place < 3; ++place) {
            if (seen[kind][place])
                items << QString::fromUtf8(kSigns[kind][place]) + QLatin1Char(' ') + kinds[kind] +
                             places[place];
        }
    }
    if (!m_phases.empty() && m_phases.front().counted > 1)
        items << (m_phases.front().showsDeviation()
                      ? tr("― mean, with a band of one standard deviation either way")
                      : tr("― median of the measured steps"));
    // What never counts has a scale of its own.
    if (m_phases.size() > 1 && std::ranges::all_of(m_phases, [](const auto& p) { return p.counted > 0; }))
        items << tr("The same height is the same time in all panels");
    // It breaks between items alone.
    return items.replaceInStrings(QStringLiteral(" "), QString(QChar::Nbsp)).join(QStringLiteral("    "));
}

const PhaseSample& PhasesChart::sampleOf(int mark) const {
    return phaseOf(mark).samples[m_marks[static_cast<std::size_t>(mark)].sample];
}

const PhaseSamples& PhasesChart::phaseOf(int mark) const {
    return m_phases[m_marks[static_cast<std::size_t>(mark)].phase];
}

int PhasesChart::markOf(std::size_t phase, std::size_t sample) const {
    if (phase >= m_phases.size() || sample >= m_phases[phase].samples.size())
        return -1;
    return static_cast<int>(m_firstMark[phase] + sample);
}

void PhasesChart::arrange(const QPaintDevice& device) const {
    const double across = widthWithin(width());
    const double top = Metrics::kSpace2 + heightOf(m_legend, across, device);
    const double h = height() - top - heightOf(m_note, across, device);
    int most = std::clamp(static_cast<int>(width() / kWidePanel), 1, 4);
    const int count = std::max(1, static_cast<int>(m_phases.size()));
    // Narrower ones rather than ones too flat to tell a value.
    while (h / ((count + most - 1) / most) < kFlatPanel && most < 4 && width() / (most + 1) >= kNarrowPanel)
        ++most;
    const int rows = (count + most - 1) / most;
    m_arranged = {size(), QRectF(Metrics::kSpace3, top, across, h), (count + rows - 1) / rows};
}

const PhasesChart::Arrangement& PhasesChart::arranged() const {
    if (m_arranged.of != size())  // an unseen one is told of its size late
        arrange(*this);
    return m_arranged;
}

int PhasesChart::figureHeight(int width, int) {
    const int count = static_cast<int>(m_phases.size());
    const int across = std::clamp(static_cast<int>(width / kNarrowPanel), 1, 3);
    return (count + across - 1) / across * static_cast<int>(kFigurePanel) +
           static_cast<int>(heightOf(m_legend, widthWithin(width), *this) +
                            heightOf(m_note, widthWithin(width), *this));
}

QRectF PhasesChart::panel(std::size_t phase) const {
    const auto& [of, area, across] = arranged();
    const int down = (static_cast<int>(m_phases.size()) + across - 1) / across;
    const double h = area.height() / std::max(1, down);
    const int i = static_cast<int>(phase);
    if (down == 1 && across > 1) {
        const double each = area.width() / (across - 1 + kStepsPanel);
        return {area.left() + (i == 0 ? 0 : (i - 1 + kStepsPanel) * each), area.top(),
                i == 0 ? kStepsPanel * each : each, h};
    }
    const double w = area.width() / across;
    return {area.left() + (i % across) * w, area.top() + (i / across) * h, w, h};
}

bool PhasesChart::isFlat() const {
    return !m_phases.empty() && panel(0).height() < kFlatPanel;
}

QRectF PhasesChart::plot(std::size_t phase) const {
    // A flat one has name and figures in one line, and no numbers of steps.
    return isFlat()
               ? panel(phase).adjusted(kScaleWidth, kFlatTitle, -Metrics::kSpace3, -Metrics::kSpace2)
               : panel(phase).adjusted(kScaleWidth, kTitle, -Metrics::kSpace3, -kSteps - Metrics::kSpace2);
}

double PhasesChart::xOf(std::size_t phase, std::int32_t step) const {
    const QRectF area = plot(phase);
    const double steps = std::max(1.0, static_cast<double>(m_lastStep) - m_firstStep + 1);
    return area.left() + area.width() * (static_cast<double>(step) - m_firstStep + 0.5) / steps;
}

double PhasesChart::yOf(std::size_t phase, double nanoseconds) const {
    const QRectF area = plot(phase);
    const Scale& scale = m_scales[phase];
    const double share = (nanoseconds - scale.low) / (scale.high - scale.low);
    return area.bottom() - area.height() * std::clamp(share, 0.0, 1.0);
}

bool PhasesChart::isBeyond(int mark) const {
    const Scale& scale = m_scales[m_marks[static_cast<std::size_t>(mark)].phase];
    const auto value = static_cast<double>(sampleOf(mark).duration.value);
    return value < scale.low || value > scale.high;
}

QPointF PhasesChart::pointOf(int mark) const {
    const std::size_t phase = m_marks[static_cast<std::size_t>(mark)].phase;
    const PhaseSample& sample = sampleOf(mark);
    return {xOf(phase, sample.step), yOf(phase, static_cast<double>(sample.duration.value))};
}

QRectF PhasesChart::markRect(int mark) const {
    const QPointF at = pointOf(mark);
    return {at.x() - kDot, at.y() - kDot, 2 * kDot, 2 * kDot};
}

int PhasesChart::markAt(QPointF point) const {
    int found = -1;
    double nearest = kReach;
    for (std::size_t p = 0; p < m_phases.size(); ++p) {
        if (!panel(p).contains(point))
            continue;
        // Samples stand in order of time, and so of x.
        const auto& samples = m_phases[p].samples;
        const auto from =
            std::lower_bound(samples.begin(), samples.end(), point.x() - kReach,
                             [&](const PhaseSample& s, double x) { return xOf(p, s.step) < x; });
        for (auto s = from; s != samples.end() && xOf(p, s->step) <= point.x() + kReach; ++s) {
            const int mark = markOf(p, static_cast<std::size_t>(s - samples.begin()));
            const QPointF at = pointOf(mark);
            const double distance = std::hypot(at.x() - point.x(), at.y() - point.y());
            if (distance <= nearest) {
                nearest = distance;
                found = mark;
            }
        }
    }
    return found;
}

QString PhasesChart::toolTipOf(int mark) const {
    const PhaseSample& sample = sampleOf(mark);
    const PhaseSamples& phase = phaseOf(mark);
    const auto duration = static_cast<double>(sample.duration.value);
    ToolTipTable tip(phase.phase == Phase::kNone
                         ? tr("step %1").arg(sample.step)
                         : tr("%1 of step %2").arg(toQString(phase.name)).arg(sample.step));
    tip.add(tr("took"), durationText(duration), durationExact(duration));
    if (const double middle = middleOf(phase); middle > 0) {
        const double difference = duration / middle - 1;
        tip.add(phase.showsDeviation() ? tr("against the mean") : tr("against the median"),
                (difference < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
                    percentText(std::fabs(difference)));
    }
    if (phase.showsDeviation())
        tip.add(tr("mean ± deviation"),
                tr("%1 ± %2").arg(durationText(phase.mean), durationText(phase.standardDeviation)));
    else if (phase.counted > 1)
        tip.add(tr("range"), tr("%1 to %2")
                                 .arg(durationText(static_cast<double>(phase.min.value)),
                                      durationText(static_cast<double>(phase.max.value))));
    const Conditions& conditions = sample.conditions;
    if (conditions.othersCores)
        tip.add(tr("others used"), tr("%1 cores").arg(QString::number(*conditions.othersCores, 'f', 1)));
    if (conditions.waitedShare)
        tip.add(tr("waited for a core"), percentText(*conditions.waitedShare));
    if (conditions.smClock)
        tip.add(tr("SM clock"),
                tr("%1 MHz").arg(toQString(formatGrouped(std::llround(*conditions.smClock)))));
    if (sample.warmup)
        tip.say(tr("A warm-up step: mean and median leave it out."));
    else if (!sample.counted)
        tip.say(tr("Cut off by the run's end: mean and median leave it out."));
    return tip.html();
}

void PhasesChart::paintChart(QPainter& painter) {
    arrange(*painter.device());
    painter.setFont(chartFont());
    painter.setPen(Theme::instance().colors().secondaryText);
    const QRectF& area = arranged().panels;
    const QRectF above(area.left(), Metrics::kSpace2, area.width(), area.top() - Metrics::kSpace2);
    painter.drawText(above, Qt::TextWordWrap, m_legend);
    painter.drawText(QRectF(area.left(), area.bottom(), area.width(), height() - area.bottom()),
                     Qt::TextWordWrap, m_note);
    for (std::size_t p = 0; p < m_phases.size(); ++p) {
        paintPanel(painter, p);
        paintDots(painter, p);
    }
}

void PhasesChart::paintPanel(QPainter& painter, std::size_t p) const {
    const PhaseSamples& phase = m_phases[p];
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = plot(p), whole = panel(p);
    painter.setFont(Theme::strongFont());
    painter.setPen(colors.text);
    const QString name = phase.phase == Phase::kNone ? tr("step") : toQString(phase.name);
    const QRectF title(area.left(), whole.top(), area.width(), 18);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setFont(chartFont());
    painter.setPen(colors.secondaryText);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QString figures = figuresOf(phase), shorter = figures.section(QStringLiteral(" · "), 0, 0);
    if (isFlat()) {
        const double after =
            QFontMetricsF(Theme::strongFont(), painter.device()).horizontalAdvance(name) + Metrics::kSpace2;
        const QRectF rest = title.adjusted(after, 0, Metrics::kSpace3, 0);
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(shorter, Qt::ElideRight, rest.width()));
    } else {
        const bool fits = metrics.horizontalAdvance(figures) <= title.width();
        painter.drawText(title.translated(0, 18), Qt::AlignLeft | Qt::AlignVCenter,
                         fits ? figures : metrics.elidedText(shorter, Qt::ElideRight, title.width()));
    }

    painter.fillRect(area, colors.panel);
    const QColor ink = inkOf(phase.phase);
    if (phase.showsDeviation()) {
        const double top = yOf(p, phase.mean + phase.standardDeviation);
        const double bottom = yOf(p, phase.mean - phase.standardDeviation);
        painter.fillRect(QRectF(area.left(), top, area.width(), bottom - top), faded(ink, 0.16F));
    }
    for (const double tick : ticksBetween(m_scales[p].low, m_scales[p].high, area.height())) {
        const double y = std::round(yOf(p, tick));
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), colors.grid);
        painter.drawText(QRectF(whole.left(), y - 8, kScaleWidth - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tick == 0 ? QStringLiteral("0") : durationText(tick));
    }
    if (phase.counted > 1)
        painter.fillRect(QRectF(area.left(), std::round(yOf(p, middleOf(phase))), area.width(), 1), ink);
    painter.setPen(colors.secondaryText);
    for (const StepName& step : stepNames(p, *painter.device()))
        painter.drawText(step.box, Qt::AlignCenter, step.text);
}

std::vector<PhasesChart::StepName> PhasesChart::stepNames(std::size_t phase,
                                                          const QPaintDevice& device) const {
    std::vector<StepName> names;
    if (isFlat())
        return names;
    const QFontMetricsF metrics(chartFont(), &device);
    const QRectF area = plot(phase);
    const auto add = [&](std::int32_t step, const QString& text) {
        const double width = std::ceil(metrics.horizontalAdvance(text));
        const double left = std::clamp(xOf(phase, step) - width / 2, panel(phase).left(),
                                       std::max(panel(phase).left(), area.right() - width));
        const QRectF box(left, area.bottom() + 3, width, kSteps - 4);
        if (names.empty() || box.left() > names.back().box.right() + Metrics::kSpace1)
            names.push_back({step, text, box});
    };
    const std::int64_t steps = static_cast<std::int64_t>(m_lastStep) - m_firstStep + 1;
    const auto fits = [&] {
        const double number = metrics.horizontalAdvance(QString::number(m_lastStep));
        const double first = metrics.horizontalAdvance(tr("step %1").arg(m_firstStep));
        const double room = (first + number) / 2 + 2 * Metrics::kSpace1;
        return room * static_cast<double>(steps) <= area.width();
    };
    add(m_firstStep, tr("step %1").arg(m_firstStep));
    const std::int32_t next = fits() ? m_firstStep + 1 : std::max(m_firstStep + 1, m_lastStep);
    for (std::int32_t step = next; step <= m_lastStep; ++step)
        add(step, QString::number(step));
    return names;
}

QString PhasesChart::figuresOf(const PhaseSamples& phase) {
    const auto isWarmup = [](const PhaseSample& sample) { return sample.warmup; };
    if (phase.counted == 0)
        return !phase.samples.empty() && std::ranges::all_of(phase.samples, isWarmup)
                   ? tr("in warm-up steps only")
                   : tr("no complete step");
    if (phase.counted == 1)
        return durationText(phase.mean);
    if (phase.showsDeviation())
        return tr("%1 ± %2 · CV %3")
            .arg(durationText(phase.mean), durationText(phase.standardDeviation),
                 percentText(phase.variation()));
    return tr("median %1 · %2 to %3")
        .arg(durationText(phase.median), durationText(static_cast<double>(phase.min.value)),
             durationText(static_cast<double>(phase.max.value)));
}

QRectF PhasesChart::valueBox(int mark, double width) const {
    const Mark& of = m_marks[static_cast<std::size_t>(mark)];
    const QPointF at = pointOf(mark);
    const QRectF area = plot(of.phase);
    // What is beyond the scale has its value toward the middle.
    const bool over = static_cast<double>(sampleOf(mark).duration.value) >= middleOf(m_phases[of.phase]);
    const bool above = isBeyond(mark) ? !over : over;
    double top = above ? at.y() - kDot - 1 - kValueHeight : at.y() + kDot + (isBeyond(mark) ? 4 : 1);
    if (top < area.top() || top + kValueHeight > area.bottom())
        top = above ? at.y() + kDot + 1 : at.y() - kDot - 1 - kValueHeight;
    return {std::clamp(at.x() - width / 2, area.left(), std::max(area.left(), area.right() - width)), top,
            width, kValueHeight};
}

void PhasesChart::paintDots(QPainter& painter, std::size_t p) const {
    const PhaseSamples& phase = m_phases[p];
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    QPointF last(-100, -100);
    double valuesFrom = plot(p).left();
    for (std::size_t s = 0; s < phase.samples.size(); ++s) {
        const int mark = markOf(p, s);
        const QPointF at = pointOf(mark);
        // In thousands of steps, dots that fall on the same pixel are one dot.
        if (std::fabs(at.x() - last.x()) < 0.5 && std::fabs(at.y() - last.y()) < 0.5)
            continue;
        last = at;
        paintSign(painter, mark);
        if (isFlat() || (phase.samples.size() > kMostValues && !isBeyond(mark)))
            continue;
        const QString value = durationText(static_cast<double>(phase.samples[s].duration.value));
        const QRectF box = valueBox(mark, metrics.horizontalAdvance(value) + 1);
        const bool meetsNext = s + 1 < phase.samples.size() && box.intersects(markRect(markOf(p, s + 1)));
        if (box.left() < valuesFrom || meetsNext)
            continue;
        painter.setPen(Theme::instance().colors().secondaryText);
        painter.drawText(box, Qt::AlignCenter, value);
        valuesFrom = box.right() + Metrics::kSpace2;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void PhasesChart::paintSign(QPainter& painter, int mark) const {
    const Mark& of = m_marks[static_cast<std::size_t>(mark)];
    const PhaseSample& sample = sampleOf(mark);
    const QPointF at = pointOf(mark);
    const QColor ink = inkOf(m_phases[of.phase].phase);
    painter.setPen(QPen(ink, 1.5));
    painter.setBrush(sample.counted ? ink : Theme::instance().colors().panel);
    if (isBeyond(mark)) {
        const double up = at.y() < plot(of.phase).center().y() ? 1 : -1;
        painter.drawPolygon(QPolygonF({at, at + QPointF(-kDot, up * 7), at + QPointF(kDot, up * 7)}));
    } else if (!sample.counted && !sample.warmup) {
        painter.drawLine(at - QPointF(3, 3), at + QPointF(3, 3));
        painter.drawLine(at - QPointF(3, -3), at + QPointF(3, -3));
    } else {
        painter.drawEllipse(at, kDot - 0.75, kDot - 0.75);
    }
}

void PhasesChart::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(chosen ? colors.accent : colors.text, chosen ? 2 : 1));
    painter.drawEllipse(pointOf(mark), kDot + 3, kDot + 3);
}

int PhasesChart::neighbor(int mark, Qt::Key key) const {
    if (mark < 0 || key == Qt::Key_Left || key == Qt::Key_Right)
        return MarkChart::neighbor(mark, key);
    // Up and down lead to the same step of another phase.
    const Mark& at = m_marks[static_cast<std::size_t>(mark)];
    const std::size_t count = m_phases.size();
    const std::size_t other = key == Qt::Key_Down ? std::min(at.phase + 1, count - 1)
                              : at.phase == 0     ? 0
                                                  : at.phase - 1;
    return markOf(other, std::min(at.sample, m_phases[other].samples.size() - 1));
}

}  // namespace warpglass::ui
