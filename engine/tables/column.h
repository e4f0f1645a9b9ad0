// A column of a table, described once: what scripts, people and the clipboard call it, how its value is got
// from a row, and how it is read. The window's tables (ui/models/described_table_model.h), the command line
// in all its formats (engine/tables/report.h) and docs/tables.md are made of, or held to, these descriptions.
//
// Descriptions are made once and never change; reading them is safe on any thread. In a list of them each
// needs its type before its braces: GCC 12 fails on a lambda in a nameless one.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/check.h"
#include "engine/tables/cell.h"
#include "engine/tables/swatch.h"
#include "engine/trace/ids.h"

namespace warpglass {

/// What the first click on a title brings to the top; the next one turns it over.
enum class FirstSort : std::uint8_t {
    kByUnit,  // a text's first letters; the least step, moment or address; the most of any other number
    kMost,
    kLeast
};
/// How long the bar beside a cell's number is.
enum class Bar : std::uint8_t {
    kNone,
    kOfLargest,  // the longest is that of the column's largest value
    kOfWhole,    // of a share, with 1 as the longest
    kDiverging   // from the middle, to the left of what is less than 0; the longest is the largest either way
};
enum class Seen : std::uint8_t {
    kEverywhere,
    kWindow,
    kCommandLine,
    kScripts  // CSV and JSON alone
};

/// For rows that say all by themselves.
struct NoContext {};

/// What a column derives from a row and, if needed, from the context shared by all rows of the table.
template <class Result, class Row, class Of>
class Reading {
public:
    Reading() = default;
    /// A function of the row and the context, a function of the row, or a member of it.
    template <class F>
    requires std::is_invocable_v<F, const Row&> || std::is_invocable_v<F, const Row&, const Of&> Reading(
        F read) {  // NOLINT(google-explicit-constructor): descriptions name it by itself
        if constexpr (std::is_invocable_v<F, const Row&, const Of&>)
            m_read = [read](const Row& row, const Of& of) { return result(std::invoke(read, row, of)); };
        else
            m_read = [read](const Row& row, const Of&) { return result(std::invoke(read, row)); };
    }

    explicit operator bool() const { return static_cast<bool>(m_read); }
    Result operator()(const Row& row, const Of& of) const { return m_read(row, of); }

private:
    template <class Value>
    static Result result(Value&& value) {
        if constexpr (std::is_same_v<Result, Cell>)
            return cellOf(std::forward<Value>(value));
        else
            return std::forward<Value>(value);
    }

    std::function<Result(const Row&, const Of&)> m_read;
};

/// In place of a key in ColumnMore::after: people read it before all others.
inline constexpr std::string_view kFirst = "first";

/// What a column may say besides.
template <class Row, class Of>
struct ColumnMore {
    /// What people read in place of the value in its unit; nothing for a row where they read that.
    Reading<std::optional<std::string>, Row, Of> text = {};
    /// On hover, in place of the exact value.
    Reading<std::optional<std::string>, Row, Of> exact = {};
    /// What sorting compares, in place of the value.
    Reading<Cell, Row, Of> sort = {};
    /// Where it says so, rows sort in the order that the query gave.
    std::function<bool(const Of&)> inOrder = {};
    /// For a column in that order: rows of a higher group come after all rows of a lower one.
    Reading<int, Row, Of> group = {};
    FirstSort firstSort = FirstSort::kByUnit;
    Reading<std::optional<Swatch>, Row, Of> swatch = {};
    Bar bar = Bar::kNone;
    /// The bar divided by memory category.
    Reading<std::array<std::int64_t, kCategoryCount>, Row, Of> parts = {};
    /// The share of the bar, at its end, that is pale.
    Reading<double, Row, Of> pale = {};
    /// A row that the longest bar is not of, though it may be larger.
    Reading<bool, Row, Of> isApart = {};
    /// −1 less, 1 more than what it is compared with: the text's color.
    Reading<int, Row, Of> trend = {};
    /// Names of code, in the mono font.
    Reading<bool, Row, Of> code = {};
    /// The title with the unit of plain numbers; made from title and unit if empty.
    std::string plainTitle = {};
    /// The name by which choices of columns are saved, independent of the current title; the title if empty.
    std::string name = {};
    /// Another title that it may have been chosen by before choices were kept by names.
    std::string formerTitle = {};
    Seen seen = Seen::kEverywhere;
    /// Logical pixels; 0 for what is left.
    int width = 0;
    /// The bar stands behind the number, at the left, in all of a wide column.
    bool longBar = false;
    /// The key of a column that people read it right after, wherever scripts have it, or kFirst.
    std::string after = {};
};

template <class Row, class Of = NoContext>
struct Column : ColumnMore<Row, Of> {
    Column() = default;
    Column(std::string columnKey, std::string columnTitle, Unit ofUnit, std::string words,
           Reading<Cell, Row, Of> read, ColumnMore<Row, Of> more = {})
        : ColumnMore<Row, Of>(std::move(more)),
          key(std::move(columnKey)),
          title(std::move(columnTitle)),
          unit(ofUnit),
          description(std::move(words)),
          value(std::move(read)) {}
    /// For a table that the window lacks: docs/tables.md tells of it in prose, so it needs no words here.
    Column(std::string columnKey, std::string columnTitle, Unit ofUnit, Reading<Cell, Row, Of> read,
           ColumnMore<Row, Of> more = {})
        : Column(std::move(columnKey), std::move(columnTitle), ofUnit, {}, std::move(read), std::move(more)) {
    }
    /// A text.
    Column(std::string columnKey, std::string columnTitle, Reading<Cell, Row, Of> read,
           ColumnMore<Row, Of> more = {})
        : Column(std::move(columnKey), std::move(columnTitle), Unit::kText, {}, std::move(read),
                 std::move(more)) {}

    /// The key in CSV and JSON, with its unit as suffix; scripts rely on it.
    std::string key;
    std::string title;
    Unit unit = Unit::kText;
    /// What it says, for tool tips and docs/tables.md.
    std::string description;
    /// Its plain value, absent where it is not known.
    Reading<Cell, Row, Of> value;
};

inline bool isNumber(Unit unit) {
    return unit != Unit::kText;
}

inline bool sortsMostFirst(Unit unit, FirstSort firstSort) {
    if (firstSort != FirstSort::kByUnit)
        return firstSort == FirstSort::kMost;
    return unit != Unit::kText && unit != Unit::kOrdinal && unit != Unit::kMoment && unit != Unit::kAddress;
}

template <class Row, class Of = NoContext>
struct TableDescription {
    /// The key of the command line's table: "layers".
    std::string key;
    /// In the order of CSV and JSON: new ones come last.
    std::vector<Column<Row, Of>> columns;
    /// Keys in the order of the window; columns that are not among them come after, in their own order.
    std::vector<std::string> windowOrder = {};
    /// A sum of the rows before it.
    std::function<bool(const Row&)> isSum = {};

    const Column<Row, Of>& column(std::string_view columnKey) const {
        const auto found =
            std::ranges::find_if(columns, [&](const auto& column) { return column.key == columnKey; });
        WG_CHECK(found != columns.end());
        return *found;
    }

    /// In their order.
    std::vector<const Column<Row, Of>*> inWindow() const {
        std::vector<const Column<Row, Of>*> shown;
        for (const std::string& columnKey : windowOrder)
            shown.push_back(&column(columnKey));
        for (const Column<Row, Of>& column : columns) {
            if ((column.seen == Seen::kEverywhere || column.seen == Seen::kWindow) &&
                std::ranges::find(windowOrder, column.key) == windowOrder.end())
                shown.push_back(&column);
        }
        return shown;
    }

    /// The place of a column in the window's table.
    int place(std::string_view columnKey) const {
        const auto shown = inWindow();
        const auto found =
            std::ranges::find_if(shown, [&](const auto* column) { return column->key == columnKey; });
        WG_CHECK(found != shown.end());
        return static_cast<int>(found - shown.begin());
    }
};

/// The same columns of rows that hold such rows: `inner(row)` is a pointer to one, null where there is none,
/// of which every cell is absent. `of(context)` is a reference to theirs.
template <class Row, class Of, class InnerRow, class InnerOf, class Inner, class Context>
Column<Row, Of> lifted(const Column<InnerRow, InnerOf>& from, Inner inner, Context of) {
    Column<Row, Of> to;
    to.key = from.key;
    to.title = from.title;
    to.unit = from.unit;
    to.description = from.description;
    const auto reading = [&](const auto& read, auto& target) {
        using Result = decltype(read(std::declval<const InnerRow&>(), std::declval<const InnerOf&>()));
        if (read)
            target = [read, inner, of](const Row& row, const Of& context) {
                const InnerRow* const there = inner(row);
                return there ? read(*there, of(context)) : Result();
            };
    };
    reading(from.value, to.value);
    reading(from.text, to.text);
    reading(from.exact, to.exact);
    reading(from.sort, to.sort);
    reading(from.group, to.group);
    reading(from.swatch, to.swatch);
    reading(from.parts, to.parts);
    reading(from.pale, to.pale);
    reading(from.isApart, to.isApart);
    reading(from.trend, to.trend);
    reading(from.code, to.code);
    if (from.inOrder)
        to.inOrder = [inOrder = from.inOrder, of](const Of& context) { return inOrder(of(context)); };
    to.firstSort = from.firstSort;
    to.bar = from.bar;
    to.plainTitle = from.plainTitle;
    to.name = from.name;
    to.formerTitle = from.formerTitle;
    to.seen = from.seen;
    to.width = from.width;
    to.longBar = from.longBar;
    to.after = from.after;
    return to;
}

template <class Row, class InnerRow, class Inner>
Column<Row> lifted(const Column<InnerRow>& from, Inner inner) {
    return lifted<Row, NoContext>(from, inner, [](const NoContext& none) { return none; });
}

/// Where there is room for more than the window's narrow columns have: "Cores used by others".
template <class Row, class Of>
void nameInFull(std::vector<Column<Row, Of>>& columns) {
    for (Column<Row, Of>& column : columns) {
        if (!column.plainTitle.empty())
            column.title = column.plainTitle;
    }
}

/// For a column of what a row leads to: `inner` read of `outer`, absent where that is an optional without a
/// value. `through(&RunSummary::utilization, &ModelUtilization::ofMeasured)`.
template <class Outer, class Inner>
auto through(Outer outer, Inner inner) {
    return [outer, inner](const auto& row) {
        const auto& there = std::invoke(outer, row);
        if constexpr (requires { there.has_value(); })
            return there ? cellOf(std::invoke(inner, *there)) : Cell();
        else
            return cellOf(std::invoke(inner, there));
    };
}
/// For a column of a text that is absent where it is empty.
template <class Text>
auto unlessEmpty(Text text) {
    return [text](const auto& row) { return textOrAbsent(std::invoke(text, row)); };
}
/// A number, or how many nanoseconds, bytes or FLOPs it is.
template <class Value>
double numberOf(const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>)
        return static_cast<double>(value);
    else
        return static_cast<double>(value.value);
}
/// For a column of a number that is absent where there is none of it.
template <class Number>
auto ifPositive(Number number) {
    return [number](const auto& row) {
        const auto& value = std::invoke(number, row);
        return numberOf(value) > 0 ? cellOf(value) : Cell();
    };
}
/// For a column of steps, absent outside any.
template <class Step>
auto stepOf(Step step) {
    return [step](const auto& row) {
        const std::int32_t number = std::invoke(step, row);
        return number == kNoStep ? Cell() : cellOf(number);
    };
}
/// For a column of shares of `whole`; 0 of nothing.
template <class Part>
auto shareOf(double whole, Part part) {
    return
        [whole, part](const auto& row) { return whole > 0 ? numberOf(std::invoke(part, row)) / whole : 0.0; };
}

/// Whatever the rows are of.
inline constexpr auto kAlways = [](const auto&) { return true; };

/// A cell as people read it, and on hover.
template <class Row, class Of>
std::string textOf(const Column<Row, Of>& column, const Row& row, const Of& of) {
    if (column.text) {
        if (auto text = column.text(row, of))
            return *std::move(text);
    }
    return readableCell(column.value(row, of), column.unit);
}
template <class Row, class Of>
std::string exactTextOf(const Column<Row, Of>& column, const Row& row, const Of& of) {
    if (column.exact) {
        if (auto text = column.exact(row, of))
            return *std::move(text);
    }
    const Cell value = column.value(row, of);
    return isAbsent(value) || column.unit == Unit::kText ? textOf(column, row, of)
                                                         : exactCell(value, column.unit);
}

}  // namespace warpglass
