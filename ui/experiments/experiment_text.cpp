#include "ui/experiments/experiment_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <set>
#include <span>

#include "engine/query/summary/caption.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Sizes in logical pixels: of the title, of the answer that is read first, of the others.
constexpr int kTitle = 15, kFirst = 18, kOther = 13, kSmall = 12;
/// A file may hold anything: these are the most letters of a paragraph, and the most paragraphs of a kind.
constexpr qsizetype kMostLetters = 10'000;
/// The most letters of each of what stands over the figures, which keep their room: three to four lines.
constexpr qsizetype kMostAbove = 300;
constexpr std::size_t kMostParagraphs = 200;
constexpr double kLines = 125;  // height of a line, in %

QString textWords(const char* text) {
    return QCoreApplication::translate("ExperimentText", text);
}

/// Preformatted, because rich text may otherwise end a line at the narrow space before a unit.
QString paragraph(const QString& text, int size, const QColor& color, int above, int weight = 400) {
    return QStringLiteral(
               "<p style=\"font-size:%1px; color:%2; margin-top:%3px; margin-bottom:0px; "
               "font-weight:%4; line-height:%5%; white-space:pre-wrap\">%6</p>")
        .arg(size)
        .arg(color.name())
        .arg(above)
        .arg(weight)
        .arg(kLines)
        .arg((text.size() > kMostLetters ? text.left(kMostLetters) + QStringLiteral(" …") : text)
                 .toHtmlEscaped());
}

/// Over the figures; what is cut there stands beside them in full.
QString shortened(const QString& text) {
    if (text.size() <= kMostAbove)
        return text;
    // No letter of two halves is cut in two.
    const bool half = text.at(kMostAbove - 1).isHighSurrogate();
    return text.left(half ? kMostAbove - 1 : kMostAbove) + QStringLiteral("…");
}

/// As many as there is room for.
std::span<const std::string> shownOf(const std::vector<std::string>& sentences) {
    return std::span(sentences).first(std::min(sentences.size(), kMostParagraphs));
}

/// Empty for none.
QString informationOf(const ExperimentResult& result, std::string_view wanted) {
    const auto found =
        std::ranges::find(result.information, wanted, &std::pair<std::string, std::string>::first);
    return found == result.information.end() ? QString() : toQString(found->second);
}

QString head(const QString& text) {
    return QStringLiteral(
               "<p style=\"font-size:11px; font-weight:600; color:%1; margin-top:%2px; "
               "margin-bottom:0px\">%3</p>")
        .arg(Theme::instance().colors().secondaryText.name())
        .arg(Metrics::kSpace4)
        .arg(text.toHtmlEscaped());
}

/// Under each heading a column of figures beside one of clauses.
QString entriesHtml(std::span<const AnswerEntry> entries) {
    const ThemeColors& colors = Theme::instance().colors();
    QString html;
    std::set<std::string_view> said;
    for (const AnswerEntry& first : entries) {
        if (!said.insert(first.group).second)
            continue;
        html += paragraph(toQString(first.group), kSmall, colors.secondaryText, Metrics::kSpace3) +
                QStringLiteral("<table cellspacing=\"0\" cellpadding=\"0\">");
        for (const AnswerEntry& entry : entries) {
            if (entry.group == first.group)
                html +=
                    QStringLiteral("<tr><td width=\"54\">%1</td><td style=\"padding-left:8px\">%2</td></tr>")
                        .arg(paragraph(toQString(entry.figure), kOther, colors.text, 2, 600),
                             paragraph(toQString(entry.clause), kOther, colors.text, 2));
        }
        html += QStringLiteral("</table>");
    }
    return html;
}

}  // namespace

QString experimentMachine(const ExperimentResult& result) {
    QStringList parts{
        informationOf(result, "device.name"),
        toQString(versionsText([&](const char* key) { return informationOf(result, key).toStdString(); }))};
    parts.removeAll({});
    return parts.join(QStringLiteral(" · "));
}

QString answerHtml(const OpenedExperiment& experiment) {
    const ThemeColors& colors = Theme::instance().colors();
    const ExperimentResult& result = experiment.result;
    const bool none = result.answers.empty();
    const QString answer = !experiment.hasAnswer() ? textWords("It has no answer yet.")
                           : none                  ? textWords("It has no answer: the notes say why.")
                                                   : toQString(result.answers.front());
    const QString device = informationOf(result, "device.name");
    return paragraph(shortened(toQString(result.title)), kTitle, colors.text, 0, 600) +
           paragraph(shortened(toQString(result.lookFor)) +
                         (device.isEmpty() ? QString() : textWords(" Run on %1.").arg(shortened(device))),
                     kSmall, colors.secondaryText, Metrics::kSpace1) +
           paragraph(shortened(answer), kFirst, experiment.hasAnswer() && none ? colors.warning : colors.text,
                     Metrics::kSpace2, 500);
}

QString experimentHtml(const OpenedExperiment& experiment) {
    const ThemeColors& colors = Theme::instance().colors();
    const ExperimentResult& result = experiment.result;
    QString html;
    const auto answers = shownOf(result.answers);
    const bool inShort = !result.entries.empty();
    QString whole, rest;
    for (const std::string& text :
         {result.title, result.lookFor, answers.empty() ? std::string() : answers.front()}) {
        if (const QString words = toQString(text); words.size() > kMostAbove)
            whole += paragraph(words, kOther, colors.text, Metrics::kSpace2);
    }
    for (std::size_t i = 1; i < answers.size(); ++i)
        rest += paragraph(toQString(answers[i]), kOther, colors.text, Metrics::kSpace2);
    if (!whole.isEmpty())
        html += head(textWords("IN FULL")) + whole;
    if (!rest.isEmpty())
        html +=
            head(textWords("ALSO")) +
            (inShort ? entriesHtml(
                           std::span(result.entries).first(std::min(result.entries.size(), kMostParagraphs)))
                     : rest);
    if (!result.measured.empty())
        html += head(textWords("MEASURED"));
    for (const std::string& settings : shownOf(result.measured))
        html += paragraph(toQString(settings), kSmall, colors.secondaryText, Metrics::kSpace1);
    if (!experiment.hasAnswer())
        return html;
    if (!result.notes.empty())
        html += head(textWords("NOTES"));
    for (const std::string& note : shownOf(result.notes))
        html += paragraph(toQString(note), kOther, colors.text, Metrics::kSpace1);
    if (inShort && !rest.isEmpty())
        html += head(textWords("IN SENTENCES")) + rest;
    html += head(textWords("RUN ON"));
    if (const QString machine = experimentMachine(result); !machine.isEmpty())
        html += paragraph(machine, kSmall, colors.secondaryText, Metrics::kSpace1);
    for (const EvidenceFile& file : experiment.files) {
        if (file.kind != EvidenceFile::Kind::kSweep)
            continue;
        const QString alike = file.alike.isEmpty() || !result.measured.empty()  // which has said it
                                  ? QString()
                                  : textWords("; all of them %1").arg(file.alike);
        html += paragraph(file.title + QStringLiteral(", ") + file.holds + alike, kSmall,
                          colors.secondaryText, Metrics::kSpace1);
    }
    html += paragraph(
        textWords("Answered %1").arg(experiment.written.toString(QStringLiteral("yyyy-MM-dd HH:mm"))), kSmall,
        colors.secondaryText, Metrics::kSpace1);
    return html;
}

}  // namespace warpglass::ui
