#include "ui/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <algorithm>
#include <cmath>

#include "ui/theme/gpu_colors.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/stack_pixels.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui {

namespace {

/// The least of a stack, in logical pixels: of a short kernel alone in its column.
constexpr int kLeastStack = 2;
/// Room left and right of a bar's text, and the least room worth writing in, in logical pixels.
constexpr double kTextPadding = 4;
constexpr double kLeastTextRoom = 6;
/// An ellipsis needs this much room, some six letters, and this share of the name to be worth reading.
constexpr double kLeastElidedRoom = 42;
constexpr double kLeastShareShown = 0.4;

/// Calls, waits and modules: as far toward the text as to be seen on the ground.
QColor neutralFill(const ThemeColors& colors) {
    constexpr double kSeen = 2.2, kStep = 0.02;
    QColor neutral = colors.hairline;
    for (double share = kStep; share < 1 && Theme::contrast(neutral, colors.background) < kSeen;
         share += kStep)
        neutral = Theme::mixed(colors.hairline, colors.secondaryText, share);
    return neutral;
}

QFont smaller(QFont font, double pixels) {
    font.setPixelSize(static_cast<int>(std::lround(pixels)));
    return font;
}

/// For a bar's text, in logical pixels.
double roomIn(const TimelineRect& rect, double scale) {
    return (rect.x1 - rect.x0) / scale - 2 * kTextPadding;
}

/// By the edge of the view.
bool isCut(const TimelineRect& rect, TimeRange view) {
    return rect.begin < view.begin.value || rect.end > view.end.value;
}

bool isPhase(TrackKind kind) {
    return kind == TrackKind::kPhase || kind == TrackKind::kGpuPhase;
}

/// A row's edges in columns; the same rounding for a row's end and the next one's begin.
int toColumns(int y, double scale) {
    return static_cast<int>(std::lround(y * scale));
}

}  // namespace

TimelinePainter::TimelinePainter() {
    reloadTheme();
}

void TimelinePainter::reloadTheme() {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    auto& spans = m_fills[kSpan];
    spans[ColorKey::neutral().value] = neutralFill(colors);
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        spans[ColorKey::of(phase).value] = theme.phaseColor(phase);
    }
    for (std::size_t i = 0; i < kOpFamilyCount; ++i) {
        const auto family = static_cast<OpFamily>(i);
        spans[ColorKey::of(family).value] = theme.familyColor(family);
    }
    for (std::size_t i = 0; i < GpuBusy::kParts; ++i) {
        const auto part = static_cast<GpuBusy::Part>(i);
        spans[ColorKey::of(part).value] = gpuPartColor(part);
    }
    for (std::size_t i = 0; i < ColorKey::kCount; ++i) {
        m_fills[kLeftOut][i] = theme.muted(spans[i]);
        m_texts[kSpan][i] = Theme::textOn(spans[i]);
        m_texts[kLeftOut][i] = Theme::readableOn(colors.secondaryText, m_fills[kLeftOut][i]);
    }
    m_bandFont = Theme::tableFont();
    m_laneFont = smaller(Theme::monoFont(), 11);
    m_names.clear();
}

void TimelinePainter::batchRow(const TimelineRow& row, const std::vector<TimelineRect>& rects, KeptX kept,
                               int top, int bottom, double scale, FilterShade& shade) {
    // The border of a span is one column left free at its right, where there is a column to spare.
    const int border = std::max(1, static_cast<int>(std::lround(scale)));
    for (const TimelineRect& rect : rects) {
        if (rect.stacked)
            continue;
        const Style style = styleOf(row, rect, shade);
        const int width = rect.x1 - rect.x0;
        const QRect bar(rect.x0, top, width >= kMergeColumns * border ? width - border : width, bottom - top);
        kept.split(bar, [&](const QRectF& part, bool counts) {
            m_batches[counts ? style : kLeftOut][rect.color.value].push_back(part.toRect());
        });
    }
}

std::vector<TimelinePainter::Style> TimelinePainter::stackStyles(TimelineGeometry& geometry,
                                                                 std::size_t rowIndex, double scale,
                                                                 FilterShade& shade) {
    const TimelineRow& row = geometry.rows()[rowIndex];
    const std::vector<ColumnStack>& stacks = geometry.stacks(rowIndex);
    std::vector<Style> styles(stacks.size(), kSpan);
    if (row.gpu || !shade.conditions().any())
        return styles;
    if (!row.strip) {
        const std::vector<TimelineRect>& rects = geometry.rects(rowIndex);
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            const bool judged = i > 0 && stacks[i].rect == stacks[i - 1].rect;
            styles[i] = judged ? styles[i - 1] : styleOf(row, rects[stacks[i].rect], shade);
        }
        return styles;
    }
    const std::vector<bool> counts = shade.countingColumns(row, geometry.logicalMap());
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const auto column = static_cast<std::size_t>(std::lround(stacks[i].x0 / scale));
        if (!counts[std::min(column, counts.size() - 1)])
            styles[i] = kLeftOut;
    }
    return styles;
}

void TimelinePainter::batchStacks(StackPixels* pixels, TimelineGeometry& geometry, std::size_t rowIndex,
                                  int top, int bottom, double scale, FilterShade& shade) {
    const TimelineRow& row = geometry.rows()[rowIndex];
    const std::vector<ColumnStack>& stacks = geometry.stacks(rowIndex);
    const std::vector<Style> styles = stackStyles(geometry, rowIndex, scale, shade);
    const KeptX kept = shade.kept(row.kind, geometry.map());
    const int least = toColumns(kLeastStack, scale);
    const ColorRange colors = row.gpu ? kBusyColors : colorsOf(row.kind);
    const int height = bottom - top;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const ColumnStack& stack = stacks[i];
        const Style style = kept.contains(stack.x0) ? styles[i] : kLeftOut;
        const auto largest = static_cast<std::size_t>(
            std::max_element(stack.share.begin(), stack.share.end()) - stack.share.begin());
        double sum = 0;
        int drawn = 0;
        for (std::size_t part = 0; part < colors.count; ++part) {
            if (stack.share[part] == 0 && part != largest)
                continue;
            sum += static_cast<double>(stack.share[part]);
            int to = std::min(height, static_cast<int>(std::lround(sum * height)));
            // Whatever ran can be seen to have run.
            if (part == largest)
                to = std::max(to, least);
            if (to <= drawn)
                continue;
            const QRect piece(stack.x0, bottom - to, stack.x1 - stack.x0, to - drawn);
            drawn = to;
            const std::uint8_t color = colors.color(part).value;
            if (pixels) {
                pixels->fill(piece, m_fills[style][color].rgb());
                continue;
            }
            std::vector<QRect>& batch = m_batches[style][color];
            if (!batch.empty() && batch.back().top() == piece.top() &&
                batch.back().height() == piece.height() && batch.back().right() + 1 == piece.left())
                batch.back().setRight(piece.right());
            else
                batch.push_back(piece);
        }
    }
}

void TimelinePainter::paintRows(QPainter& painter, StackPixels* pixels, TimelineGeometry& geometry,
                                std::size_t first, std::size_t last, double scale, int scrollTop,
                                FilterShade& shade) {
    geometry.build(first, last);
    for (std::size_t i = first; i < last; ++i) {
        const TimelineRow& row = geometry.rows()[i];
        const int top = toColumns(row.top - scrollTop, scale);
        const int bottom = toColumns(row.top + row.height - scrollTop, scale);
        batchRow(row, geometry.rects(i), shade.kept(row.kind, geometry.map()), top, bottom, scale, shade);
        batchStacks(pixels, geometry, i, top, bottom, scale, shade);
    }
    fillBatches(painter);
}

void TimelinePainter::paintNames(QPainter& painter, TimelineGeometry& geometry, const Snapshot& snapshot,
                                 std::size_t first, std::size_t last, double scale, int scrollTop,
                                 FilterShade& shade) {
    const PainterScope undone(painter);
    painter.scale(scale, scale);  // text is laid out in logical pixels
    for (std::size_t i = first; i < last; ++i)
        paintRowText(painter, snapshot, geometry, i, scale, scrollTop, shade);
}

void TimelinePainter::fillBatches(QPainter& painter) {
    // The raster engine fills many of one brush faster than each by itself; a file has them as they are.
    const bool together = painter.paintEngine()->type() == QPaintEngine::Raster;
    const PainterScope undone(painter);
    painter.setPen(Qt::NoPen);
    for (std::size_t style = 0; style < kStyleCount; ++style) {
        for (std::size_t color = 0; color < ColorKey::kCount; ++color) {
            std::vector<QRect>& batch = m_batches[style][color];
            if (batch.empty())
                continue;
            if (together) {
                painter.setBrush(m_fills[style][color]);
                painter.drawRects(batch.data(), static_cast<int>(batch.size()));
            } else {
                for (const QRect& rect : batch)
                    painter.fillRect(rect, m_fills[style][color]);
            }
            batch.clear();
        }
    }
}

const TimelinePainter::Name& TimelinePainter::nameOf(const Snapshot& snapshot, const TimelineRow& row,
                                                     const TimelineRect& rect, const QFont& font,
                                                     bool brief) {
    const TrackKind kind = row.kind;
    const NameId fullName = fullNameOf(snapshot, row, rect);
    const auto make = [&] {
        const QFontMetricsF metrics(font);
        Name name{};
        if (kind == TrackKind::kGpuStream)
            name = {kernelLabel(snapshot, rect.name, fullName),
                    shortKernelLabel(snapshot, rect.name, fullName),
                    leastKernelLabel(snapshot, rect.name, fullName)};
        else
            name = {barLabel(snapshot, kind, rect), shortBarLabel(snapshot, kind, rect),
                    leastBarLabel(snapshot, kind, rect)};
        if (brief) {
            name.text.replace(0, name.shorter.size(), name.least);
            name.shorter = name.least;
        }
        name.width = metrics.horizontalAdvance(name.text);
        name.shorterWidth = metrics.horizontalAdvance(name.shorter);
        return name;
    };
    if (kind == TrackKind::kStep || isPhase(kind)) {
        // With its duration: another text for every span, and few of them.
        m_scratch = make();
        return m_scratch;
    }
    // Kernels of one short name differ.
    const NameId id = fullName.valid() ? fullName : rect.name;
    const quint64 key = static_cast<quint64>(id.value) << 8 | static_cast<quint64>(kind) << 1 |
                        static_cast<quint64>(&font == &m_laneFont);
    if (const auto found = m_names.constFind(key); found != m_names.constEnd())
        return *found;
    return *m_names.insert(key, make());
}

std::vector<NameId> TimelinePainter::briefNames(const Snapshot& snapshot, const TimelineRow& row,
                                                const std::vector<TimelineRect>& rects, TimeRange view,
                                                double scale) {
    std::vector<NameId> names;
    if (!isPhase(row.kind))
        return names;
    for (const TimelineRect& rect : rects) {
        const double room = roomIn(rect, scale);
        if (rect.merged() || isCut(rect, view) || room < kLeastTextRoom ||
            std::ranges::count(names, rect.name) > 0)
            continue;
        const Name& name = nameOf(snapshot, row, rect, m_bandFont);
        if (!name.least.isEmpty() && name.shorterWidth > room &&
            QFontMetricsF(m_bandFont).horizontalAdvance(name.least) <= room)
            names.push_back(rect.name);
    }
    return names;
}

void TimelinePainter::paintRowText(QPainter& painter, const Snapshot& snapshot, TimelineGeometry& geometry,
                                   std::size_t rowIndex, double scale, int scrollTop, FilterShade& shade) {
    const TimelineRow row = geometry.rows()[rowIndex];
    const QFont& font = row.height >= kBandRowHeight ? m_bandFont : m_laneFont;
    painter.setFont(font);
    // Where most blocks of a row have no room for their numbers, those of a few would be stray digits.
    const std::vector<TimelineRect>& rects = geometry.rects(rowIndex);
    const double ofNumber = QFontMetricsF(font).horizontalAdvance(QStringLiteral("00")) + 2 * kTextPadding;
    const bool numbered =
        row.kind != TrackKind::kModule || 2 * std::ranges::count_if(rects, [&](const TimelineRect& rect) {
                                              return (rect.x1 - rect.x0) / scale >= ofNumber;
                                          }) > std::ssize(rects);
    const TimeRange view = geometry.map().range();
    const KeptX columns = shade.kept(row.kind, geometry.map()),
                kept{columns.from / scale, columns.to / scale};
    const std::vector<NameId> brief = briefNames(snapshot, row, rects, view, scale);
    for (const TimelineRect& rect : rects) {
        const double room = roomIn(rect, scale);
        if (rect.merged() || room < kLeastTextRoom)
            continue;
        const Name& name = nameOf(snapshot, row, rect, font, std::ranges::count(brief, rect.name) > 0);
        QString text = name.text;
        if (name.width > room) {
            text = name.shorter;
            const QString least = name.shorterWidth > room ? name.least : QString();
            if (!least.isEmpty()) {
                // Where the edge of the view cuts a step or phase, a number or "bwd" would say as little.
                const bool cut = (row.kind == TrackKind::kStep || isPhase(row.kind)) && isCut(rect, view);
                if (!numbered || cut || QFontMetricsF(font).horizontalAdvance(least) > room)
                    continue;
                text = least;
            } else if (name.shorterWidth > room) {
                if (row.kind == TrackKind::kModule || room < kLeastElidedRoom ||
                    room < name.shorterWidth * kLeastShareShown)
                    continue;
                // Kernels of one library begin alike.
                const auto side = row.kind == TrackKind::kGpuStream ? Qt::ElideMiddle : Qt::ElideRight;
                text = QFontMetricsF(font).elidedText(text, side, room);
            }
        }
        const Style style = styleOf(row, rect, shade);
        const QRectF bar(rect.x0 / scale, row.top - scrollTop, (rect.x1 - rect.x0) / scale, row.height);
        const QRectF box(bar.left() + kTextPadding, bar.top(), room, row.height);
        kept.paintParts(painter, bar, [&](bool counts) {
            painter.setPen(m_texts[counts ? style : kLeftOut][rect.color.value]);
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
        });
    }
}

void TimelinePainter::paintGrid(QPainter& painter, const Ruler& ruler, const ColumnMap& map, int height,
                                double scale) const {
    const QColor color = Theme::instance().colors().grid;
    const int line = std::max(1, static_cast<int>(std::lround(scale)));
    for (const RulerTick& tick : ruler.ticks) {
        if (!tick.label.empty())
            painter.fillRect(QRect(map.columnOf(tick.time.value), 0, line, height), color);
    }
}

void TimelinePainter::paintRulerOrigin(QPainter& painter, const Ruler& ruler, const QRect& area) const {
    const QString base = toQString(ruler.base);
    const QString origin = ruler.origin.empty() ? QString() : toQString(ruler.origin) + QStringLiteral(" +");
    const QString line = (origin + QLatin1Char(' ') + base).trimmed();
    if (origin.isEmpty() || base.isEmpty() || painter.fontMetrics().horizontalAdvance(line) <= area.width()) {
        painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, line);
        return;
    }
    const int half = area.height() / 2;
    painter.drawText(area.adjusted(0, 1, 0, -half), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     origin);
    painter.drawText(area.adjusted(0, half, 0, -1), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     base);
}

void TimelinePainter::paintRuler(QPainter& painter, const Ruler& ruler, TimeRange visible, const QRect& area,
                                 int labelWidth, const QRegion& keepFree, RulerSide side) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(area, colors.background);
    painter.setFont(smaller(Theme::tableFont(), 11));
    painter.setPen(colors.secondaryText);
    paintRulerOrigin(painter, ruler, area.adjusted(Metrics::kSpace3, 0, labelWidth - 2 - area.width(), 0));
    const QRect plot = area.adjusted(labelWidth, 0, 0, 0);
    const bool above = side == RulerSide::kAbove;
    painter.save();
    painter.setClipRect(plot);
    for (const RulerTick& tick : ruler.ticks) {
        const int x = plot.left() + static_cast<int>(timeToPixel(tick.time, visible, plot.width()));
        const bool labeled = !tick.label.empty();
        const int length = tick.step && labeled ? plot.height() / 2 : labeled ? 8 : 4;
        painter.fillRect(QRect(x, above ? plot.bottom() - length : plot.top(), 1, length), colors.hairline);
        if (!labeled)
            continue;
        const QString text = toQString(tick.label);
        const QRect box(x + 4, above ? plot.top() : plot.top() + 2,
                        painter.fontMetrics().horizontalAdvance(text) + 1, plot.height() - 2);
        if (box.right() <= plot.right() && !keepFree.intersects(box.adjusted(-4, 0, 4, 0))) {
            painter.setPen(tick.step ? colors.text : colors.secondaryText);
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
        }
    }
    painter.restore();
    painter.fillRect(QRect(area.left(), above ? area.bottom() : area.top(), area.width(), 1),
                     colors.hairline);
}

void TimelinePainter::paintLabels(QPainter& painter, const std::vector<TimelineTrack>& tracks,
                                  std::size_t first, std::size_t last, const LabelState& state,
                                  int labelWidth, int height, int scrollTop) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(QRect(0, 0, labelWidth, height), colors.background);
    const QFont font = Theme::tableFont();
    const QFont small = smaller(font, 11);
    const int room = labelWidth - Metrics::kSpace3 - Metrics::kSpace1;
    for (std::size_t i = first; i < last; ++i) {
        const TimelineTrack& track = tracks[i];
        const int top = track.top - scrollTop;
        if (top > height || top + track.height < 0)
            continue;
        const bool hovered = state.hovered == i;
        if (hovered || state.current == i)
            painter.fillRect(QRect(0, top - 1, labelWidth - 2, track.height), colors.raised);
        if (track.pinned || state.current == i)
            painter.fillRect(QRect(0, top - 1, 2, track.height),
                             state.current == i ? colors.accent : colors.hairline);
        const QColor text = hovered || state.current == i ? colors.text : colors.secondaryText;
        if (state.folds && track.foldable())
            paintIcon(painter, QRectF(kChevronLeft, top, kChevronWidth, kBandRowHeight),
                      track.folded ? Icon::kChevronRight : Icon::kChevronDown, text);
        const auto line = [&](int y, int lineHeight, const std::string& words, const QFont& lineFont) {
            if (y + lineHeight > height)
                return;  // half a line is none
            painter.setFont(lineFont);
            painter.setPen(text);
            painter.drawText(QRect(Metrics::kSpace3, y, room, lineHeight),
                             Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                             QFontMetrics(lineFont).elidedText(toQString(words), Qt::ElideRight, room));
        };
        line(top, kBandRowHeight, track.label, font);
        if (!track.sublabel.empty())
            line(top + kSublabelTop, kTwoLineLabelHeight - kSublabelTop, track.sublabel, small);
    }
}

}  // namespace warpglass::ui
