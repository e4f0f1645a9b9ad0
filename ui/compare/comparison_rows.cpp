#include "ui/compare/comparison_rows.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "engine/query/spans/kernel_title.h"
#include "ui/theme/name_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("warpglass::ui::ComparisonTables", text);
}

/// Without what ran outside any phase: no step's.
std::vector<ComparisonRow> withoutNoPhase(std::vector<ComparisonRow> rows) {
    std::erase_if(rows, [](const ComparisonRow& row) { return row.name == phaseName(Phase::kNone); });
    return rows;
}

Phase phaseNamed(const std::string& name) {
    const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), name);
    return found == kPhaseNames.end() ? Phase::kNone : static_cast<Phase>(found - kPhaseNames.begin());
}

/// Whether a run's times in the tables are its GPU's.
bool onGpu(const RunComparison& c, bool ofA) {
    return c.mixed() ? (ofA ? c.gpuA : c.gpuB) : c.gpuA;
}

/// The row of all of a step, in the table of phases.
std::string wholeRow(const RunComparison& c) {
    return std::string(c.gpuA && c.gpuB ? kAllPhasesRow : kStepRow);
}

/// "gemm 128×128 TN and 7 more".
QString briefKernels(const std::string& title, std::size_t titles, const std::vector<std::string>& names) {
    constexpr qsizetype kMost = 40;
    if (names.empty())
        return tr("none");
    const QString first = cutName(toQString(title), kMost);
    return titles <= 1 ? first : tr("%1 and %2 more").arg(first).arg(titles - 1);
}

/// Every kernel of one run; of a work, with the ops that launched them.
QString allKernels(const QString& of, const std::vector<std::string>& names, const KernelOrigin& origin,
                   bool withOps) {
    QStringList lines{of};
    if (withOps) {
        for (const KernelOrigin::Place& place : origin.places)
            lines << QStringLiteral("  %1  %2").arg(toQString(place.op), toQString(place.kernel));
        lines.removeDuplicates();  // of several modules
    } else {
        for (const std::string& name : names)
            lines << QStringLiteral("  ") + toQString(name);
    }
    return lines.join(QLatin1Char('\n'));
}

/// The op or the work, and what differs; on hover every name.
void nameBriefly(ComparisonRow& row, const KernelMatch& match) {
    const bool same = match.sameName();
    const QString a = briefKernels(match.titleA, match.titlesA, match.namesA),
                  b = briefKernels(match.titleB, match.titlesB, match.namesB);
    // One kernel, whose signatures may have shared its time otherwise, has what it did where it took longer.
    const QString brief = match.withoutStepsB   ? a
                          : match.withoutStepsA ? b
                          : same || a == b      ? (match.b > match.a ? b : a)
                                                : QStringLiteral("%1 → %2").arg(a, b);
    const bool work = !match.work.empty();
    row.shownName = (shortenedName(toQString(match.heading())) + kAfterFirstName + brief).toStdString();
    QStringList parts{toQString(work ? match.work : match.op)};
    if (same && !work) {
        parts << allKernels(tr("Both:"), match.namesA, match.originA, work);
    } else {
        parts << allKernels(tr("A:"), match.namesA, match.originA, work)
              << allKernels(tr("B:"), match.namesB, match.originB, work);
    }
    row.fullName = parts.join(QLatin1Char('\n')).toStdString();
}

/// Kernels of several templates may do the same under one op: those get what tells their names apart besides.
void tellApart(std::vector<ComparisonRow>& rows, const std::vector<KernelMatch>& matches) {
    std::map<std::string, std::map<std::string_view, std::vector<std::size_t>>> shown;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<std::string>& names =
            matches[i].namesA.empty() ? matches[i].namesB : matches[i].namesA;
        if (!names.empty())
            shown[rows[i].shownName][names.front()].push_back(i);
    }
    for (const auto& [title, byName] : shown) {
        if (byName.size() < 2)
            continue;
        std::vector<std::string_view> names;
        names.reserve(byName.size());
        for (const auto& [name, alike] : byName)
            names.push_back(name);
        const std::vector<std::string> apart = whatTellsApart(names);
        auto words = apart.begin();
        for (const auto& [name, alike] : byName) {
            for (const std::size_t i : alike)
                rows[i].shownName += words->empty() ? std::string() : ", " + *words;
            ++words;
        }
    }
}

template <class Is>
const KernelMatch* matchThat(const ComparisonFigures& figures, Is&& is) {
    const auto match = std::find_if(figures.kernels.begin(), figures.kernels.end(), is);
    return match == figures.kernels.end() ? nullptr : &*match;
}

}  // namespace

std::optional<Category> categoryNamed(const std::string& name) {
    const auto found = std::find(kCategoryNames.begin(), kCategoryNames.end(), name);
    return found == kCategoryNames.end()
               ? std::nullopt
               : std::optional(static_cast<Category>(found - kCategoryNames.begin()));
}

std::vector<ComparisonRow> rowsOf(const ComparisonFigures& figures, ComparedTable table) {
    const RunComparison& c = figures.rows;
    const bool gpu = c.gpuA && c.gpuB;
    const auto of = [&](const auto& mixed, const auto& onGpus, const auto& onHosts) {
        return c.mixed() ? mixed : gpu ? onGpus : onHosts;
    };
    switch (table) {
        case ComparedTable::kKernels: {
            std::vector<ComparisonRow> rows = kernelRows(figures.kernels, c);
            for (std::size_t i = 0; i < rows.size(); ++i)
                nameBriefly(rows[i], figures.kernels[i]);
            tellApart(rows, figures.kernels);
            return rows;
        }
        case ComparedTable::kOps:
            return of(c.mixedOps, c.gpuOps, c.ops);
        case ComparedTable::kModules:
            return of(c.mixedModules, c.gpuModules, c.modules);
        case ComparedTable::kPhases:
            return withoutNoPhase(of(c.mixedPhases, c.gpuPhases, c.phases));
        case ComparedTable::kMemory:
            break;
    }
    return c.categories;
}

std::optional<ComparisonRow> totalOf(const ComparisonFigures& figures, ComparedTable table) {
    if (table != ComparedTable::kKernels && table != ComparedTable::kOps)
        return std::nullopt;
    const std::vector<ComparisonRow> rows = rowsOf(figures, table);
    if (rows.empty())
        return std::nullopt;
    ComparisonRow total;
    total.name = tr("Total").toStdString();
    total.isTotal = true;
    for (const ComparisonRow& row : rows) {
        if (row.isUnknown())
            return std::nullopt;
        total.a += row.a;
        total.b += row.b;
        total.inA = total.inA || row.inA;
        total.inB = total.inB || row.inB;
        total.atLeastA = total.atLeastA || row.atLeastA;
        total.atLeastB = total.atLeastB || row.atLeastB;
    }
    // What leads from the sum of the rows to the headline.
    if (const auto& time = figures.time; time && !time->parts.empty()) {
        const Bridge::Part& rest = time->parts.back();
        const auto adds = [](double sum, std::int64_t left, std::int64_t all) {
            return std::abs(sum + static_cast<double>(left - all)) < 100;  // ns, of roundings
        };
        if (adds(total.a, rest.a, time->a) && adds(total.b, rest.b, time->b))
            total.name = tr("Total; with %1 of %2 it is the step's %3 → %4")
                             .arg(toQString(time->signedFigure(rest.difference())), toQString(rest.name),
                                  toQString(time->figure(time->a)), toQString(time->figure(time->b)))
                             .toStdString();
    }
    return total;
}

std::vector<ComparisonRow> memoryRowsOf(const ComparisonFigures& figures, ComparedTable table) {
    const RunComparison& c = figures.rows;
    switch (table) {
        case ComparedTable::kOps:
            return c.opMemory;
        case ComparedTable::kModules:
            return c.moduleMemory;
        case ComparedTable::kPhases: {
            std::vector<ComparisonRow> memory = c.phaseMemory;
            for (ComparisonRow& row : memory)
                row.name = row.name == kStepRow ? wholeRow(c) : row.name;
            return memory;
        }
        case ComparedTable::kKernels:
        case ComparedTable::kMemory:
            break;
    }
    return {};
}

int namesWith(const ComparisonFigures& figures, ComparedTable table, const QString& text) {
    std::set<std::string> names;
    for (const auto& rows : {rowsOf(figures, table), memoryRowsOf(figures, table)}) {
        for (const ComparisonRow& row : rows) {
            if (toQString(row.name).contains(text, Qt::CaseInsensitive))
                names.insert(row.name);
        }
    }
    return static_cast<int>(names.size());
}

QString wordsOf(const ComparisonFigures& figures, ComparedTable table) {
    const RunComparison& c = figures.rows;
    const bool one = figures.scope.steps == ComparisonScope::Steps::kOne;
    if (table == ComparedTable::kMemory)
        return one ? tr("Bytes at the peak of each of the two steps")
                   : tr("Bytes at the peak of each run, independent of the steps");
    const QString what =
        table == ComparedTable::kKernels ? tr("GPU time")
        : c.mixed() ? (c.gpuA ? tr("GPU time of A, CPU time of B") : tr("CPU time of A, GPU time of B"))
        : c.gpuA    ? tr("GPU time")
                    : tr("CPU time");
    QString times = QStringLiteral("%1, %2").arg(what, toQString(figures.words));
    if (table == ComparedTable::kModules && !c.splits.empty() && (c.gpuA || c.gpuB))
        times += tr(", kernels that serve several modules are split");
    if (memoryRowsOf(figures, table).empty())
        return times;
    return table == ComparedTable::kPhases ? tr("%1; memory: the peak while it ran").arg(times)
           : one                           ? tr("%1; memory: at each step's peak").arg(times)
                                           : tr("%1; memory: at each run's peak").arg(times);
}

std::optional<Landmark> landmarkOf(const ComparisonFigures& figures, ComparedTable table,
                                   const ComparisonRow& row, bool ofA) {
    if (!(ofA ? row.inA : row.inB) || (table != ComparedTable::kKernels && row.name.starts_with('(')))
        return std::nullopt;
    const bool gpu = onGpu(figures.rows, ofA);
    Landmark landmark;
    switch (table) {
        case ComparedTable::kKernels: {
            const KernelMatch* match =
                matchThat(figures, [&row](const KernelMatch& m) { return m.name() == row.name; });
            if (!match)
                return std::nullopt;
            return ofA ? match->originA.landmark : match->originB.landmark;
        }
        case ComparedTable::kOps:
            landmark.kind = gpu ? Landmark::Kind::kKernel : Landmark::Kind::kOp;
            landmark.op = row.name;
            return landmark;
        case ComparedTable::kModules:
            landmark.kind = Landmark::Kind::kModule;
            landmark.onGpu = gpu;
            landmark.module = row.name;
            return landmark;
        case ComparedTable::kPhases:
            landmark.phase = phaseNamed(row.name);
            if (landmark.phase != Phase::kNone)
                landmark.kind = Landmark::Kind::kPhase;
            landmark.onGpu = gpu;
            return landmark;
        case ComparedTable::kMemory:
            break;
    }
    return std::nullopt;
}

std::string rowNameOf(const ComparisonFigures& figures, ComparedTable table, const Landmark& landmark,
                      const std::string& kernel, bool ofA) {
    switch (table) {
        case ComparedTable::kKernels: {
            const KernelMatch* match = matchThat(figures, [&](const KernelMatch& m) {
                return (ofA ? m.originA : m.originB).holds(landmark, kernel);
            });
            return match ? match->name() : std::string();
        }
        case ComparedTable::kOps:
            return landmark.op;
        case ComparedTable::kModules:
            return landmark.module;
        case ComparedTable::kPhases:
            return landmark.kind == Landmark::Kind::kStep ? wholeRow(figures.rows)
                   : landmark.phase == Phase::kNone       ? std::string()
                                                          : std::string(phaseName(landmark.phase));
        case ComparedTable::kMemory:
            break;
    }
    return {};
}

}  // namespace warpglass::ui
