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

/// The column of the rows' labels, and that of what lies beyond the axis.
constexpr double kLabels = 124, kBeyond = 136;
constexpr double kAxis = 20, kFigureRow = 76, kRowGap = 6;
constexpr double kTickRoom = 72;
constexpr double kDot = 4, kDotReach = 9;
constexpr double kLine = 15;
constexpr std::size_t kMostNamed = 8;  // steps whose numbers stand beside their dots

/// One that is readable on the background: phases' colors are those of areas.
QColor inkOf(Phase phase) {
    const Theme& theme = Theme::instance();
    return phase == Phase::kNone ? theme.colors().accent
                                 : Theme::readableOn(theme.phaseColor(phase), theme.colors().background);
}

QString nameOf(const PhaseSamples& phase) {
    return phase.phase == Phase::kNone ? PhasesChart::tr("step") : toQString(phase.name);
}

/// The room of words and rows in a chart of that width.
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

PhasesChart::PhasesChart(QWidget* parent) : Canvas(parent) {
    setNames(this, "phasesChart", tr("Phases of every step"));
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
    m_firstMark.clear();
    m_marks.clear();
    m_firstStep = std::numeric_limits<std::int32_t>::max();
    m_lastStep = 0;
    for (std::size_t p = 0; p < m_phases.size(); ++p) {
        const PhaseSamples& phase = m_phases[p];
        m_firstMark.push_back(m_marks.size());
        for (std::size_t s = 0; s < phase.samples.size(); ++s) {
            m_marks.push_back({p, s});
            m_firstStep = std::min(m_firstStep, phase.samples[s].step);
            m_lastStep = std::max(m_lastStep, phase.samples[s].step);
        }
    }
    m_axis = axisOf(m_phases);
    m_legend = legendOfMarks();
    arrange(*this);
    invalidate();
}

QString PhasesChart::legendOfMarks() const {
    bool measured = false, warmup = false, cutOff = false, below = false, above = false;
    for (int mark = 0; mark < markCount(); ++mark) {
        const PhaseSample& sample = sampleOf(mark);
        (sample.counted ? measured : sample.warmup ? warmup : cutOff) = true;
        if (isBeyond(mark))
            (deviationOf(mark) < 0 ? below : above) = true;
    }
    QStringList items;
    if (measured)
        items << tr("● measured step");
    if (warmup)
        items << tr("○ warm-up step");
    if (cutOff)
        items << tr("× step cut off by the run's end");
    if (below || above)
        items << tr("%1 beyond the axis").arg(!above ? tr("◁") : !below ? tr("▷") : tr("◁ ▷"));
    if (!m_phases.empty() && m_phases.front().showsDeviation())
        items << tr("▒ mean ± one standard deviation");
    if (m_lastStep > m_firstStep)
        items << tr("In each row the first step is at the top");
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

double PhasesChart::deviationOf(int mark) const {
    return ui::deviationOf(phaseOf(mark), static_cast<double>(sampleOf(mark).duration.value));
}

bool PhasesChart::isBeyond(int mark) const {
    return !m_axis.holds(deviationOf(mark));
}

void PhasesChart::arrange(const QPaintDevice& device) const {
    const double across = widthWithin(width());
    const double top = Metrics::kSpace2 + heightOf(m_legend, across, device);
    m_arranged = {size(), QRectF(Metrics::kSpace3, top, across,
                                 height() - top - kAxis - heightOf(m_note, across, device))};
}

int PhasesChart::figureHeight(int width, int) {
    const double across = widthWithin(width);
    return static_cast<int>(static_cast<double>(m_phases.size()) * kFigureRow + kAxis + Metrics::kSpace2 +
                            heightOf(m_legend, across, *this) + heightOf(m_note, across, *this));
}

QRectF PhasesChart::row(std::size_t phase) const {
    if (m_arranged.of != size())  // an unseen one is told of its size late
        arrange(*this);
    const QRectF& rows = m_arranged.rows;
    const double h = rows.height() / static_cast<double>(std::max<std::size_t>(1, m_phases.size()));
    return {rows.left(), rows.top() + static_cast<double>(phase) * h, rows.width(), h - kRowGap};
}

QRectF PhasesChart::plot(std::size_t phase) const {
    return row(phase).adjusted(kLabels, 0, -kBeyond, 0);
}

double PhasesChart::xOf(double deviation) const {
    const QRectF area = plot(0);
    const auto [low, high] = m_axis;
    return area.left() + area.width() * (std::clamp(deviation, low, high) - low) / (high - low);
}

double PhasesChart::yOf(std::size_t phase, std::int32_t step) const {
    const QRectF area = plot(phase);
    const double steps = std::max(1.0, static_cast<double>(m_lastStep) - m_firstStep + 1);
    const double room = std::max(0.0, area.height() - 2 * kDot);
    return area.top() + kDot + room * (static_cast<double>(step) - m_firstStep + 0.5) / steps;
}

QPointF PhasesChart::pointOf(int mark) const {
    return {xOf(deviationOf(mark)), yOf(m_marks[static_cast<std::size_t>(mark)].phase, sampleOf(mark).step)};
}

QRectF PhasesChart::markRect(int mark) const {
    const QPointF at = pointOf(mark);
    return {at.x() - kDot, at.y() - kDot, 2 * kDot, 2 * kDot};
}

int PhasesChart::markAt(QPointF point) const {
    int found = -1;
    double nearest = kDotReach;
    for (std::size_t p = 0; p < m_phases.size(); ++p) {
        if (!row(p).contains(point))
            continue;
        // Samples stand in order of time, and so of y.
        const auto& samples = m_phases[p].samples;
        const auto from =
            std::lower_bound(samples.begin(), samples.end(), point.y() - kDotReach,
                             [&](const PhaseSample& s, double y) { return yOf(p, s.step) < y; });
        for (auto s = from; s != samples.end() && yOf(p, s->step) <= point.y() + kDotReach; ++s) {
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
    if (phase.counted > 0)
        tip.add(tr("against the median"), deviationText(deviationOf(mark)));
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

QString PhasesChart::figuresOf(const PhaseSamples& phase) {
    const auto isWarmup = [](const PhaseSample& sample) { return sample.warmup; };
    if (phase.counted == 0)
        return !phase.samples.empty() && std::ranges::all_of(phase.samples, isWarmup)
                   ? tr("in warm-up steps only")
                   : tr("no complete step");
    if (phase.counted == 1)
        return durationText(phase.mean);
    const auto off = [&phase](Nanoseconds t) {
        return deviationText(ui::deviationOf(phase, static_cast<double>(t.value)));
    };
    return tr("median %1").arg(durationText(phase.median)) + QStringLiteral(" · ") +
           (phase.showsDeviation()
                ? QStringLiteral("±") + percentText(phase.standardDeviation / referenceOf(phase))
                : tr("%1 to %2").arg(off(phase.min), off(phase.max)));
}

void PhasesChart::paintPicture(QPainter& painter) {
    arrange(*painter.device());
    painter.setFont(chartFont());
    painter.setPen(Theme::instance().colors().secondaryText);
    const QRectF& rows = m_arranged.rows;
    painter.drawText(QRectF(rows.left(), Metrics::kSpace2, rows.width(), rows.top()), Qt::TextWordWrap,
                     m_legend);
    painter.drawText(QRectF(rows.left(), rows.bottom() + kAxis, rows.width(), height()), Qt::TextWordWrap,
                     m_note);
    for (std::size_t p = 0; p < m_phases.size(); ++p)
        painter.fillRect(plot(p), Theme::instance().colors().panel);
    if (!m_phases.empty())
        paintAxis(painter);
    for (std::size_t p = 0; p < m_phases.size(); ++p)
        paintRow(painter, p);
}

/// Lines through all rows, and what they stand for below.
void PhasesChart::paintAxis(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF first = plot(0), last = plot(m_phases.size() - 1);
    const int most = std::clamp(static_cast<int>(first.width() / kTickRoom), 1, 12);
    for (const double tick : m_axis.ticks(most)) {
        const bool median = tick == 0;
        const double x = std::round(xOf(tick));
        painter.fillRect(QRectF(x, first.top(), 1, last.bottom() - first.top()),
                         median ? colors.secondaryText : colors.grid);
        painter.setPen(median ? colors.text : colors.secondaryText);
        painter.drawText(QRectF(x - kTickRoom / 2, last.bottom() + 2, kTickRoom, kAxis - 2), Qt::AlignCenter,
                         median ? tr("median") : deviationText(tick));
    }
}

void PhasesChart::paintRow(QPainter& painter, std::size_t p) const {
    const PhaseSamples& phase = m_phases[p];
    const QRectF area = plot(p);
    paintLabel(painter, p);
    if (phase.showsDeviation()) {
        const double left = xOf(ui::deviationOf(phase, phase.mean - phase.standardDeviation));
        const double right = xOf(ui::deviationOf(phase, phase.mean + phase.standardDeviation));
        painter.fillRect(QRectF(left, area.top(), right - left, area.height()),
                         withAlpha(inkOf(phase.phase), 0.16F));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    QPointF last(-100, -100);
    for (std::size_t s = 0; s < phase.samples.size(); ++s) {
        const QPointF at = pointOf(markOf(p, s));
        // In thousands of steps, dots that fall on the same pixel are one dot.
        if (std::fabs(at.x() - last.x()) < 0.5 && std::fabs(at.y() - last.y()) < 0.5)
            continue;
        last = at;
        paintSign(painter, markOf(p, s));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(chartFont());
    painter.setPen(Theme::instance().colors().secondaryText);
    for (const StepName& name : stepNames(p, *painter.device()))
        painter.drawText(name.box, Qt::AlignLeft | Qt::AlignVCenter, name.text);
}

/// Its name, and as many lines of its figures as there is room for.
void PhasesChart::paintLabel(QPainter& painter, std::size_t p) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = row(p);
    QStringList lines{nameOf(m_phases[p])};
    lines += figuresOf(m_phases[p]).split(QStringLiteral(" · "));
    const auto shown = std::clamp<qsizetype>(static_cast<qsizetype>(area.height() / kLine), 1, lines.size());
    double y = area.center().y() - static_cast<double>(shown) * kLine / 2;
    for (qsizetype i = 0; i < shown; ++i, y += kLine) {
        painter.setFont(i == 0 ? Theme::strongFont() : chartFont());
        painter.setPen(i == 0 ? colors.text : colors.secondaryText);
        const QRectF box(area.left(), y, kLabels - Metrics::kSpace2, kLine);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(painter.font(), painter.device())
                             .elidedText(lines[i], Qt::ElideRight, box.width()));
    }
}

std::vector<PhasesChart::StepName> PhasesChart::stepNames(std::size_t p, const QPaintDevice& device) const {
    const QFontMetricsF metrics(chartFont(), &device);
    const QRectF area = plot(p);
    const auto& samples = m_phases[p].samples;
    const bool several = m_lastStep > m_firstStep;
    const bool few = several && samples.size() <= kMostNamed &&
                     area.height() >= kLine * (static_cast<double>(m_lastStep) - m_firstStep + 1);
    // Its dots stand in the order of the first row, which has the numbers.
    const bool asFirst = p > 0 && std::ranges::equal(samples, m_phases.front().samples, {},
                                                     &PhaseSample::step, &PhaseSample::step);
    const double median = xOf(0);
    std::vector<StepName> names;
    for (std::size_t s = 0; s < samples.size(); ++s) {
        const int mark = markOf(p, s);
        const bool beyond = isBeyond(mark);
        if (!beyond && !few)
            continue;
        QString text = several && !(few && asFirst) ? tr("step %1 · ").arg(samples[s].step) : QString();
        text += durationText(static_cast<double>(samples[s].duration.value));
        if (beyond)
            text += QStringLiteral(" · ") + deviationText(deviationOf(mark));
        const double width = std::ceil(metrics.horizontalAdvance(text)) + 1;
        const QPointF at = pointOf(mark);
        QRectF box(at.x() + kDot + Metrics::kSpace2, at.y() - kLine / 2, width, kLine);
        const bool crosses = at.x() < median && box.right() > median && at.x() - kDot - width > area.left();
        if (!beyond && (crosses || box.right() > area.right()))
            box.moveRight(at.x() - kDot - Metrics::kSpace1);
        if (names.empty() || !names.back().box.intersects(box))
            names.push_back({samples[s].step, text, box});
    }
    return names;
}

void PhasesChart::paintSign(QPainter& painter, int mark) const {
    const PhaseSample& sample = sampleOf(mark);
    const QPointF at = pointOf(mark);
    const QColor ink = inkOf(phaseOf(mark).phase);
    painter.setPen(QPen(ink, 1.5));
    painter.setBrush(sample.counted ? ink : Theme::instance().colors().panel);
    if (isBeyond(mark)) {
        const double out = deviationOf(mark) > 0 ? 1 : -1;
        painter.drawPolygon(QPolygonF(
            {at + QPointF(out * 3, 0), at + QPointF(out * -4, -kDot), at + QPointF(out * -4, kDot)}));
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
        return Canvas::neighbor(mark, key);
    // Up and down lead to the same step of another phase.
    const Mark& at = m_marks[static_cast<std::size_t>(mark)];
    const std::size_t count = m_phases.size();
    const std::size_t other = key == Qt::Key_Down ? std::min(at.phase + 1, count - 1)
                              : at.phase == 0     ? 0
                                                  : at.phase - 1;
    return markOf(other, std::min(at.sample, m_phases[other].samples.size() - 1));
}

}  // namespace warpglass::ui
