#include "ui/models/mark_range.h"

#include <QRegularExpression>
#include <cmath>
#include <utility>

#include "engine/base/format.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

// No translation: it is read again, in another language perhaps.
constexpr QLatin1String kUntil(" until ");

/// As formatDuration() and formatMoment() write it: "3.00 ms", "2 min 5 s".
QString timePattern() {
    return QStringLiteral(
        R"((\d+(?:\.\d+)?)[ \x{A0}\x{202F}]?(ns|µs|ms|s|min|h)(?: (\d+)[ \x{A0}\x{202F}]?(s|min))?)");
}
constexpr int kGroups = 4;  // of it

double nanosecondsOf(QStringView unit) {
    constexpr std::pair<QStringView, double> kUnits[] = {{u"ns", 1},  {u"µs", 1e3},   {u"ms", 1e6},
                                                         {u"s", 1e9}, {u"min", 60e9}, {u"h", 3600e9}};
    for (const auto& [name, length] : kUnits) {
        if (name == unit)
            return length;
    }
    return 0;
}

struct WrittenTime {
    double value = 0;  // ns
    /// What its last digit counts, in ns.
    double digit = 0;
};

WrittenTime timeIn(const QRegularExpressionMatch& match, int first) {
    const QString number = match.captured(first);
    const double unit = nanosecondsOf(match.capturedView(first + 1));
    const auto point = number.indexOf(QLatin1Char('.'));
    const auto decimals = point < 0 ? 0 : static_cast<int>(number.size() - point - 1);
    WrittenTime time{number.toDouble() * unit, unit * std::pow(10, -decimals)};
    if (const QStringView rest = match.capturedView(first + 2); !rest.isEmpty()) {
        time.digit = nanosecondsOf(match.capturedView(first + 3));
        time.value += rest.toDouble() * time.digit;
    }
    return time;
}

/// How the note begins, where it is one of a range.
QRegularExpressionMatch rangeIn(const RunMark& mark) {
    static const QRegularExpression pattern(QLatin1Char('^') + timePattern() + kUntil + timePattern() +
                                            QLatin1String("(?::|$)"));
    if (mark.time.value < 0 || mark.text.find(kUntil.data()) == std::string::npos)
        return {};
    return pattern.match(toQString(mark.text));
}

}  // namespace

QString rangeNote(TimeRange range) {
    return toQString(formatDuration(range.duration())) + kUntil + toQString(formatMoment(range.end)) +
           QLatin1String(": ");
}

std::optional<Nanoseconds> endOfRange(const RunMark& mark) {
    const auto match = rangeIn(mark);
    if (!match.hasMatch())
        return std::nullopt;
    const WrittenTime length = timeIn(match, 1), end = timeIn(match, 1 + kGroups);
    const double reached =
        length.digit < end.digit ? static_cast<double>(mark.time.value) + length.value : end.value;
    // Times of a run are below what a double holds exactly; a note may say anything.
    if (!(reached < 9e15) || reached <= static_cast<double>(mark.time.value))
        return std::nullopt;
    return Nanoseconds(std::llround(reached));
}

QString wordsOfNote(const RunMark& mark) {
    const QString note = toQString(mark.text);
    return endOfRange(mark) ? note.mid(rangeIn(mark).capturedLength()).trimmed() : note;
}

QString noteWordsFirst(const RunMark& mark) {
    const QString words = wordsOfNote(mark);
    if (!endOfRange(mark))
        return words;
    QString range = rangeIn(mark).captured();
    if (range.endsWith(QLatin1Char(':')))
        range.chop(1);
    return words.isEmpty() ? range : words + QStringLiteral(" · ") + range;
}

QString noteWithWords(const RunMark& mark, const QString& words) {
    if (!endOfRange(mark))
        return words;
    QString note = rangeIn(mark).captured();
    if (!note.endsWith(QLatin1Char(':')))
        note += QLatin1Char(':');
    return words.isEmpty() ? note : note + QLatin1Char(' ') + words;
}

}  // namespace warpglass::ui
