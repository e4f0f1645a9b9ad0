#include "ui/models/span_table_model.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/models/duration_columns.h"

namespace warpglass::ui {

namespace {

using Column = SpanTableModel::Column;

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return SpanTableModel::tr(text); };
    return {
        {tr("Name"), {}, {}, false, 236},
        {tr("Family"), {}, tr("What kind of work it is"), false, 112},
        {tr("Self %"), tr("Self share"), tr("Share of all self time; these add up to 100 %"), true, 104},
        {tr("Self"), tr("Self (ns)"), tr("Time not spent in nested ops"), true, 80},
        {tr("Time %"), tr("Time share"),
         tr("Share of the sum of all total times, as nsys has it: of kernels that is the time the GPU was "
            "busy, not the step"),
         true, 100},
        {tr("Total time"), tr("Total time (ns)"),
         tr("Sum of all instances, nested work included; of a group, of its ops that lie within none of its "
            "others"),
         true, 80},
        {tr("Instances"), {}, tr("How often it ran in all; what calls itself is one call"), true, 76},
        {tr("Per step"), tr("Instances per step"),
         tr("How often it ran in a step: the mean over the steps that count; – where parts of steps count"),
         true, 72},
        {tr("Avg"), tr("Avg (ns)"), tr("Mean duration"), true, 70},
        {tr("Med"), tr("Med (ns)"), tr("Median duration"), true, 70},
        {tr("Min"), tr("Min (ns)"), tr("Shortest"), true, 70},
        {tr("Max"), tr("Max (ns)"), tr("Longest"), true, 70},
        {tr("StdDev"), tr("StdDev (ns)"), tr("Sample standard deviation (n − 1)"), true, 70},
        {tr("Launched by"), {}, tr("The op that launched it, or most of its time"), false, 168},
        {tr("FLOPs"),
         {},
         tr("Operations of its matrix products, as the plan of the run counts them; – where it is not known"),
         true,
         92},
        {tr("Bytes"),
         {},
         tr("Of copies, what they copied; of matrix products, each operand and result once; – where it is "
            "not "
            "known"),
         true,
         80},
        {tr("% of ceiling"), tr("Share of the ceiling"),
         tr("FLOPs over time of the device's ceiling in this precision, measured or by its data sheet; of "
            "copies, bytes over time of the rate that was measured. Where the run beat what was measured, "
            "its best is the ceiling"),
         true, 92},
    };
}

/// The titles of an op's times, in the words of PyTorch's profiler; null for the other columns.
const char* cpuTitle(int column) {
    switch (column) {
        case Column::kSelfShare:
            return QT_TRANSLATE_NOOP("warpglass::ui::SpanTableModel", "Self CPU %");
        case Column::kSelf:
            return QT_TRANSLATE_NOOP("warpglass::ui::SpanTableModel", "Self CPU");
        case Column::kTimeShare:
            return QT_TRANSLATE_NOOP("warpglass::ui::SpanTableModel", "CPU total %");
        case Column::kTotal:
            return QT_TRANSLATE_NOOP("warpglass::ui::SpanTableModel", "CPU total");
        default:
            return nullptr;
    }
}

/// The column's value in ns, for those that are durations.
std::optional<double> nanoseconds(const StatisticsRow& r, int column) {
    if (column == Column::kSelf)
        return static_cast<double>(r.self.value);
    return durationIn<SpanTableModel>(column, r);
}

const QString kDash = QStringLiteral("–");

std::string keyOf(const StatisticsNode& node) {
    return node.isGroup ? node.row.group : node.row.group + '\n' + node.row.figures.name;
}

QString launchers(const GroupedRow& row) {
    if (row.launchedBy.empty())
        return kDash;
    const QString most = toQString(row.launchedBy);
    return row.launchers > 1 ? SpanTableModel::tr("%1 +%2").arg(most).arg(row.launchers - 1) : most;
}

}  // namespace

SpanTableModel::SpanTableModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

void SpanTableModel::setOfCpu(bool ofCpu) {
    if (ofCpu == m_ofCpu)
        return;
    m_ofCpu = ofCpu;
    emit headerDataChanged(Qt::Horizontal, 0, kColumnCount - 1);
}

QVariant SpanTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const QVariant plain = TableModel::headerData(section, orientation, role);
    const char* const title = orientation == Qt::Horizontal ? cpuTitle(section) : nullptr;
    if (title && role == kFormerTitleRole)
        return tr(title);
    if (!title || !m_ofCpu)
        return plain;
    if (role == Qt::DisplayRole)
        return tr(title);
    if (role == kPlainTitleRole)
        return section == kSelfShare || section == kTimeShare ? tr("%1, share").arg(tr(title).chopped(2))
                                                              : tr("%1 (ns)").arg(tr(title));
    if (role == Qt::ToolTipRole && section == kTimeShare)
        return tr(
            "Total time over the self time of all, as PyTorch's profiler has it: ops that are nested "
            "count in their parents too, so that rows add up to more than 100 %");
    if (role == Qt::ToolTipRole)
        return tr("%1. On the CPU's threads, where ops run; what they launch runs on a GPU in its own time, "
                  "under Kernels")
            .arg(plain.toString());
    return plain;
}

void SpanTableModel::setStatistics(GroupedStatistics statistics, SpanGrouping grouping, std::int64_t steps,
                                   bool found) {
    m_statistics = std::move(statistics);
    m_steps = steps;
    m_found = found;
    if (grouping != m_grouping)
        m_expanded.clear();
    m_grouping = grouping;
    rebuild();
}

void SpanTableModel::rebuild() {
    m_tree = statisticsTree(m_statistics, m_grouping);
    m_instances = 0;
    m_self = Nanoseconds();
    m_largestSelfShare = m_largestTimeShare = 0;
    for (const StatisticsNode& node : m_tree) {
        m_instances += node.row.figures.instances;
        m_self += node.row.figures.self;
        m_largestSelfShare = std::max(m_largestSelfShare, node.row.figures.selfShare);
        m_largestTimeShare = std::max(m_largestTimeShare, node.row.figures.timeShare);
    }
    sortNodes(m_tree);
    rebuildRows();
}

void SpanTableModel::rebuildRows() {
    std::vector<SpanTableRow> rows;
    flatten(m_tree, 0, rows);
    replaceRows(std::move(rows));
}

void SpanTableModel::flatten(const std::vector<StatisticsNode>& nodes, int depth,
                             std::vector<SpanTableRow>& rows) const {
    for (const StatisticsNode& node : nodes) {
        SpanTableRow& row = rows.emplace_back();
        row.row = node.row;
        row.isGroup = node.isGroup;
        row.depth = depth;
        row.key = keyOf(node);
        row.expanded = node.isGroup && (m_expanded.contains(row.key) || m_found);
        if (row.expanded)
            flatten(node.children, depth + 1, rows);
    }
}

void SpanTableModel::sort(int column, Qt::SortOrder order) {
    m_sortColumn = column;
    m_order = order;
    sortNodes(m_tree);
    rebuildRows();
}

/// What is not known comes last, whichever way; groups before the names beside them.
void SpanTableModel::sortNodes(std::vector<StatisticsNode>& nodes) const {
    const auto number = [this](const StatisticsNode& node) -> std::optional<double> {
        const GroupedRow& r = node.row;
        if (const auto ns = nanoseconds(r.figures, m_sortColumn))
            return std::isnan(*ns) ? std::nullopt : ns;
        switch (m_sortColumn) {
            case kSelfShare:
                return r.figures.selfShare;
            case kTimeShare:
                return r.figures.timeShare;
            case kInstances:
            case kPerStep:
                return static_cast<double>(r.figures.instances);
            case kFlops:
                return r.flops ? std::optional(static_cast<double>(r.flops->value)) : std::nullopt;
            case kBytes:
                return r.bytes ? std::optional(static_cast<double>(r.bytes->value)) : std::nullopt;
            case kPeakShare:
                return r.shareOfPeak;
            default:
                return 0;
        }
    };
    const auto word = [this](const StatisticsNode& node) -> std::string {
        switch (m_sortColumn) {
            case kName:
                return node.row.figures.name;
            case kFamily:
                return std::string(kOpFamilyNames[static_cast<std::size_t>(node.row.figures.family)]);
            case kLaunchedBy:
                return node.row.launchedBy;
            default:
                return {};
        }
    };
    const bool up = m_order == Qt::AscendingOrder;
    const bool byWord = m_sortColumn == kName || m_sortColumn == kFamily || m_sortColumn == kLaunchedBy;
    std::stable_sort(nodes.begin(), nodes.end(), [&](const StatisticsNode& a, const StatisticsNode& b) {
        if (a.isGroup != b.isGroup)
            return a.isGroup;
        if (byWord)
            return up ? word(a) < word(b) : word(b) < word(a);
        const auto x = number(a), y = number(b);
        if (!x || !y)
            return x && !y;
        return up ? *x < *y : *y < *x;
    });
    for (StatisticsNode& node : nodes)
        sortNodes(node.children);
}

void SpanTableModel::setExpanded(int row, bool expanded) {
    if (row < 0 || row >= rowCount() || !rowAt(row).isGroup)
        return;
    const std::string key = rowAt(row).key;
    if (expanded ? m_expanded.insert(key).second : m_expanded.erase(key) > 0)
        rebuildRows();
}

void SpanTableModel::toggle(int row) {
    if (row >= 0 && row < rowCount())
        setExpanded(row, !rowAt(row).expanded);
}

void SpanTableModel::expandAll(bool expanded) {
    m_expanded.clear();
    const auto add = [this](const auto& self, const std::vector<StatisticsNode>& nodes) -> void {
        for (const StatisticsNode& node : nodes) {
            if (!node.isGroup)
                continue;
            m_expanded.insert(keyOf(node));
            self(self, node.children);
        }
    };
    if (expanded)
        add(add, m_tree);
    rebuildRows();
}

int SpanTableModel::parentRow(int row) const {
    // Rows stand in the order of their ordinals: the nearest before it that is less deep.
    int best = -1;
    for (int i = 0; i < rowCount(); ++i) {
        if (rowAt(i).depth == rowAt(row).depth - 1 &&
            ordinal(static_cast<std::size_t>(i)) < ordinal(static_cast<std::size_t>(row)) &&
            (best < 0 || ordinal(static_cast<std::size_t>(i)) > ordinal(static_cast<std::size_t>(best))))
            best = i;
    }
    return best;
}

SpanSet SpanTableModel::spansOf(int row, TrackKind kind, const SpanFilter& filter, std::string text) const {
    const SpanTableRow& r = rowAt(row);
    return {kind,           filter,      r.isGroup ? std::string() : r.row.figures.name,
            m_grouping,     r.row.group, r.isGroup,
            std::move(text)};
}

QString SpanTableModel::text(std::size_t i, int column) const {
    const SpanTableRow& shown = row(i);
    const GroupedRow& r = shown.row;
    if (const auto ns = nanoseconds(r.figures, column)) {
        if (std::isnan(*ns))
            return kDash;
        return toQString(formatDuration(Nanoseconds(std::llround(*ns))));
    }
    switch (column) {
        case kFamily:
            return toQString(kOpFamilyNames[static_cast<std::size_t>(r.figures.family)]);
        case kSelfShare:
            return toQString(formatPercent(r.figures.selfShare));
        case kTimeShare:
            return toQString(formatPercent(r.figures.timeShare));
        case kInstances:
            return toQString(formatGrouped(r.figures.instances));
        case kPerStep:
            return m_steps > 0 ? toQString(formatMeanCount(perStep(r.figures))) : kDash;
        case kLaunchedBy:
            return launchers(r);
        case kFlops:
            return r.flops ? toQString(formatFlops(*r.flops)) : kDash;
        case kBytes:
            return r.bytes ? toQString(formatBytes(*r.bytes)) : kDash;
        case kPeakShare:
            return r.shareOfPeak ? toQString(formatPercent(*r.shareOfPeak)) : kDash;
        default:
            return toQString(r.figures.name);
    }
}

QString SpanTableModel::exactText(std::size_t i, int column) const {
    const GroupedRow& r = row(i).row;
    if (const auto ns = nanoseconds(r.figures, column); ns && !std::isnan(*ns))
        return tr("%1 ns").arg(toQString(formatGrouped(std::llround(*ns))));
    switch (column) {
        case kName:
            return row(i).isGroup && !r.group.empty() ? toQString(r.group) : toQString(r.figures.name);
        case kSelfShare:
        case kTimeShare:
            return tr("%1 %").arg(100 * (column == kSelfShare ? r.figures.selfShare : r.figures.timeShare), 0,
                                  'f', 3);
        case kFlops:
            return r.flops ? tr("%1 FLOP").arg(toQString(formatGrouped(r.flops->value)))
                           : tr("Not known: only matrix products are, where each kernel's part of them is");
        case kBytes:
            return r.bytes ? toQString(formatBytesExact(*r.bytes)) : tr("Not known");
        case kPeakShare:
            if (!r.shareOfPeak)
                return tr("Not known: it takes the work and the device's ceiling");
            return tr("%1 %").arg(100 * *r.shareOfPeak, 0, 'f', 3);
        default:
            return text(i, column);
    }
}

QVariant SpanTableModel::plainValue(std::size_t i, int column) const {
    const GroupedRow& r = row(i).row;
    if (const auto ns = nanoseconds(r.figures, column)) {
        if (std::isnan(*ns))
            return QString();
        return plainDuration<SpanTableModel>(column, *ns);
    }
    switch (column) {
        case kFamily:
            return text(i, column);
        case kSelfShare:
            return r.figures.selfShare;
        case kTimeShare:
            return r.figures.timeShare;
        case kInstances:
            return static_cast<qlonglong>(r.figures.instances);
        case kPerStep:
            return m_steps > 0 ? QVariant(perStep(r.figures)) : QVariant(QString());
        case kLaunchedBy:
            return toQString(r.launchedBy);
        case kFlops:
            return r.flops ? QVariant(static_cast<qlonglong>(r.flops->value)) : QVariant(QString());
        case kBytes:
            return r.bytes ? QVariant(static_cast<qlonglong>(r.bytes->value)) : QVariant(QString());
        case kPeakShare:
            return r.shareOfPeak ? QVariant(*r.shareOfPeak) : QVariant(QString());
        default:
            // A copied tree tells its rows apart.
            return exactText(i, kName);
    }
}

/// The rows are sorted already; views keep their order.
QVariant SpanTableModel::sortValue(std::size_t i, int) const {
    return ordinal(i);
}

QVariant SpanTableModel::swatch(std::size_t i, int column) const {
    if (column != kFamily && column != kName)
        return {};
    if (column == kName && row(i).isGroup && m_grouping == SpanGrouping::kPhase) {
        const auto phase = std::find(kPhaseNames.begin(), kPhaseNames.end(), row(i).row.group);
        return QVariant::fromValue(
            Swatch{Swatch::kPhase, static_cast<std::uint8_t>(phase - kPhaseNames.begin())});
    }
    if (column == kName && row(i).isGroup)
        return {};
    return QVariant::fromValue(Swatch{Swatch::kFamily, static_cast<std::uint8_t>(row(i).row.figures.family)});
}

QVariant SpanTableModel::shareBar(std::size_t i, int column) const {
    if (column == kSelfShare && m_largestSelfShare > 0)
        return QVariant::fromValue(ShareBar{row(i).row.figures.selfShare / m_largestSelfShare, {}});
    if (column == kTimeShare && m_largestTimeShare > 0)
        return QVariant::fromValue(ShareBar{row(i).row.figures.timeShare / m_largestTimeShare, {}});
    return {};
}

bool SpanTableModel::isMono(int column) const {
    return column == kName || column == kLaunchedBy;
}

int SpanTableModel::depth(std::size_t i, int column) const {
    return column == kName && m_grouping != SpanGrouping::kFlat ? row(i).depth : -1;
}

int SpanTableModel::expansion(std::size_t i, int column) const {
    if (column != kName || !row(i).isGroup)
        return kLeaf;
    return row(i).expanded ? kExpanded : kCollapsed;
}

}  // namespace warpglass::ui
