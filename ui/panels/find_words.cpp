#include "ui/panels/find_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "engine/base/format.h"
#include "ui/theme/name_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("warpglass::ui::FindPanel", text);
}

/// "54.3 ms"; of matches on both "CPU 54.3 ms, GPU 12.1 ms", which run side by side and have no sum.
QString timeOf(Nanoseconds total, Nanoseconds onGpu, QString (*words)(Nanoseconds)) {
    if (onGpu.value <= 0 || onGpu == total)
        return words(total);
    return tr("CPU %1, GPU %2").arg(words(total - onGpu), words(onGpu));
}

QString inWords(Nanoseconds time) {
    return toQString(formatDuration(time));
}

QString exactly(Nanoseconds time) {
    return tr("%1 ns").arg(toQString(formatGrouped(time.value)));
}

std::string recordedName(const SearchName& name, const MatchesShown& of) {
    return std::string(of.snapshot->name(name.name));
}

/// Nothing follows a name without a title: it is drawn as the titles are.
std::optional<std::string> titledName(const SearchName& name, DetailId detail, int others,
                                      const MatchesShown& of) {
    const std::string recorded = recordedName(name, of), after = QString(kAfterFirstName).toStdString();
    if (name.kind != TrackKind::kGpuStream || !of.works)
        return recorded + after;
    const NameId signature = of.snapshot->detail(detail).value_or(SpanDetail()).fullName;
    std::string title = of.works->titleOf(recorded, of.snapshot->name(signature));
    if (title == recorded)
        return recorded + after;
    if (others > 0)
        title += " +" + std::to_string(others);
    return title + after + recorded;
}

/// Tool tips have the recorded name alone.
template <class Row, class NameOf>
TableDescription<Row, MatchesShown> titled(TableDescription<Row, MatchesShown> table, NameOf name,
                                           int Row::*others) {
    Column<Row, MatchesShown>& column = table.columns.front();
    column.text = [name, others](const Row& row, const MatchesShown& of) {
        return titledName(name(row), row.detail, others ? row.*others : 0, of);
    };
    column.exact = [name](const Row& row, const MatchesShown& of) {
        return std::optional(recordedName(name(row), of));
    };
    return table;
}

}  // namespace

TableDescription<SearchGroup, MatchesShown> titledGroups() {
    return titled(
        searchGroupsTable(), [](const SearchGroup& group) { return group.of; }, &SearchGroup::otherWorks);
}

TableDescription<SearchMatch, MatchesShown> titledMatches() {
    return titled<SearchMatch>(
        matchesTable(),
        [](const SearchMatch& match) {
            return SearchName{match.kind, match.name};
        },
        nullptr);
}

QString findSummary(const FindOutcome& outcome, bool tablesCountMeasured) {
    const SearchResult& found = outcome.result;
    const auto count = [](std::int64_t n) { return toQString(formatGrouped(n)); };
    if (!outcome.search)
        return outcome.problem;
    if (!found.complete)
        return found.count == 1 ? tr("1 match so far…") : tr("%1 matches so far…").arg(count(found.count));
    if (found.everywhere == 0)
        return tr("No match");
    if (found.count == 0)
        return tr("within %1: none of %2").arg(outcome.within, count(found.everywhere));
    QStringList parts;
    if (!outcome.within.isEmpty())
        parts << tr("within %1: %2 of %3").arg(outcome.within, count(found.count), count(found.everywhere));
    else
        parts << (found.count == 1 ? tr("1 match") : tr("%1 matches").arg(count(found.count)));
    parts << timeOf(found.total, found.onGpu, inWords);
    if (tablesCountMeasured)
        parts << tr("%1 of them, %2, in measured steps")
                     .arg(count(found.measured.count),
                          timeOf(found.measured.total, found.measured.onGpu, inWords));
    if (found.count > std::ssize(found.matches))
        parts << tr("the %1 longest are listed").arg(count(std::ssize(found.matches)));
    return parts.join(QStringLiteral(" · "));
}

QString findExactly(const FindOutcome& outcome, bool tablesCountMeasured) {
    const SearchResult& found = outcome.result;
    if (!found.complete || found.count == 0)
        return {};
    QString text = tr("%1 total").arg(timeOf(found.total, found.onGpu, exactly));
    if (found.nested > 0)
        text += tr("; %1 of the matches lie within another match, whose time includes theirs")
                    .arg(toQString(formatGrouped(found.nested)));
    if (tablesCountMeasured)
        text += tr("\n%1 of it in complete measured steps, which the tables count")
                    .arg(timeOf(found.measured.total, found.measured.onGpu, exactly));
    return text;
}

QString findNothing(const FindOutcome& outcome, const QString& text, bool isExpression) {
    if (!outcome.problem.isEmpty())  // which stands over the table
        return tr("Switch off .* to search for the text as it is");
    if (!outcome.search)
        return tr("Type a name, or a part of one");
    if (outcome.result.everywhere > 0)
        return tr("No match within %1, but %2 elsewhere: switch off searching within it")
            .arg(outcome.within, toQString(formatGrouped(outcome.result.everywhere)));
    if (isExpression)
        return tr("No name matches “%1”").arg(text);
    static const QRegularExpression signs(QStringLiteral(R"([\^$|*+?\\[\]{}]|\)$)"));
    return text.contains(signs) && QRegularExpression(text).isValid()
               ? tr("No name contains “%1”; switch on .* to search for it as a regular expression").arg(text)
               : tr("No name contains “%1”").arg(text);
}

QRegularExpression wantedPattern(const QString& text, bool expression) {
    return QRegularExpression(expression ? text : QRegularExpression::escape(text),
                              QRegularExpression::CaseInsensitiveOption);
}

QString patternProblem(const QRegularExpression& pattern) {
    return pattern.isValid() ? QString()
                             : tr("Not a regular expression: %1, at character %2")
                                   .arg(pattern.errorString())
                                   .arg(pattern.patternErrorOffset() + 1);
}

}  // namespace warpglass::ui
