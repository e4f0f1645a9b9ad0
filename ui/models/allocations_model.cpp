#include "ui/models/allocations_model.h"

#include <limits>

#include "engine/base/format.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return AllocationsModel::tr(text); };
    using FirstSort = TableModel::FirstSort;
    return {{tr("Category"), {}, tr("What it is for, by facts that the engine has"), false, 108},
            {tr("Size"), tr("Size (bytes)"), tr("As the allocator gave it"), true, 84},
            {tr("Asked for"), tr("Asked for (bytes)"), tr("Before the allocator rounded up"), true, 84},
            {tr("Module"), {}, tr("Where in the model it was made"), false, 168},
            {tr("Part"), {}, tr("The named piece of the module's work"), false, 76},
            {tr("Phase"), {}, tr("The phase in which it was made"), false, 80},
            {tr("Step"),
             {},
             tr("The step in which it was made; – is before the first"),
             true,
             52,
             FirstSort::kLeast},
            {tr("Allocated"), tr("Allocated (ns)"), tr("When, since recording began"), true, 84,
             FirstSort::kLeast},
            {tr("Lives"), tr("Lives (ns)"), tr("From allocation to free"), true, 84},
            {tr("Address"), {}, tr("The device's or host's address"), true, 116, FirstSort::kLeast},
            {tr("Op"),
             {},
             tr("The op that asked for it: of empty, empty_strided and their like, the one that called them"),
             false,
             148}};
}

constexpr auto kForEver = std::numeric_limits<qlonglong>::max();

}  // namespace

AllocationsModel::AllocationsModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

QString AllocationsModel::text(std::size_t i, int column) const {
    const AllocationDetail& d = row(i);
    const auto orDash = [](const std::string& text) {
        return text.empty() ? QStringLiteral("–") : toQString(text);
    };
    switch (column) {
        case kCategory:
            return toQString(d.category);
        case kBytes:
            return toQString(formatBytes(Bytes(d.row.bytes)));
        case kAsked:
            return toQString(formatBytes(Bytes(d.row.requested)));
        case kModule:
            return orDash(d.module);
        case kPart:
            return orDash(d.part);
        case kPhase:
            return orDash(d.phase);
        case kStep:
            return d.row.step == kNoStep ? QStringLiteral("–") : QString::number(d.row.step);
        case kAllocated:
            return toQString(formatDuration(d.allocated));
        case kLifetime:
            return d.freed ? toQString(formatDuration(*d.freed - d.allocated)) : tr("to the end");
        case kAddress:
            return QStringLiteral("0x%1").arg(d.row.address, 0, 16);
        default:
            return orDash(d.op);
    }
}

QString AllocationsModel::exactText(std::size_t i, int column) const {
    const AllocationDetail& d = row(i);
    switch (column) {
        case kBytes:
            return tr("%1 given, %2 asked for")
                .arg(toQString(formatBytesExact(Bytes(d.row.bytes))),
                     toQString(formatBytesExact(Bytes(d.row.requested))));
        case kAsked:
            return toQString(formatBytesExact(Bytes(d.row.requested)));
        case kAllocated:
            return tr("%1 ns").arg(toQString(formatGrouped(d.allocated.value)));
        case kLifetime:
            return d.freed ? tr("%1 ns").arg(toQString(formatGrouped((*d.freed - d.allocated).value)))
                           : tr("Not freed when the run ended");
        default:
            return text(i, column);
    }
}

QVariant AllocationsModel::plainValue(std::size_t i, int column) const {
    const AllocationDetail& d = row(i);
    switch (column) {
        case kBytes:
            return static_cast<qlonglong>(d.row.bytes);
        case kAsked:
            return static_cast<qlonglong>(d.row.requested);
        case kStep:
            return d.row.step == kNoStep ? QVariant(QString()) : QVariant(d.row.step);
        case kAllocated:
            return static_cast<qlonglong>(d.allocated.value);
        case kLifetime:
            return d.freed ? QVariant(static_cast<qlonglong>((*d.freed - d.allocated).value))
                           : QVariant(QString());
        case kModule:
            return toQString(d.module);
        case kPart:
            return toQString(d.part);
        case kPhase:
            return toQString(d.phase);
        case kOp:
            return toQString(d.op);
        default:
            return text(i, column);
    }
}

QVariant AllocationsModel::sortValue(std::size_t i, int column) const {
    const AllocationDetail& d = row(i);
    switch (column) {
        case kCategory:
            return static_cast<int>(d.row.category);
        case kStep:
            return d.row.step;
        case kLifetime:
            return d.freed ? static_cast<qlonglong>((*d.freed - d.allocated).value) : kForEver;
        case kAddress:
            return static_cast<qulonglong>(d.row.address);
        default:
            return plainValue(i, column);
    }
}

QVariant AllocationsModel::swatch(std::size_t i, int column) const {
    if (column != kCategory)
        return {};
    return QVariant::fromValue(Swatch{Swatch::kCategory, static_cast<std::uint8_t>(row(i).row.category)});
}

bool AllocationsModel::isMono(int column) const {
    return column == kOp || column == kModule;
}

}  // namespace warpglass::ui
