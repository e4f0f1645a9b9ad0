#include "app/window/shortcut_sheet.h"

#include <QLineEdit>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

QString tr(const char* text) {
    return ShortcutSheet::tr(text);
}

bool answers(const KeySection& section, const KeyHint& hint, const QString& query) {
    const QString text = section.title + QLatin1Char(' ') + hint.keys + QLatin1Char(' ') + hint.what;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!text.contains(word, Qt::CaseInsensitive))
            return false;
    }
    return true;
}

}  // namespace

QList<KeySection> viewKeys() {
    return {
        {tr("Timeline and charts over time"),
         {{tr("Wheel, W / S"), tr("zoom at the cursor")},
          {tr("Drag, A / D"), tr("move along the time axis")},
          {tr("Shift + wheel"), tr("move along the time axis")},
          {tr("Shift + drag"), tr("measure and select a range")},
          {tr("Click"), tr("select a span and fix the cursor")},
          {tr("Double click"), tr("zoom to the selected range, or to the span")},
          {tr("Left, Right"), tr("previous span, next span")},
          {tr("Up, Down"), tr("enclosing span, first span within")},
          {tr("F"), tr("fit the selection, or the whole run if there is none")},
          {tr("Home"), tr("fit the whole run")},
          {tr("Esc"), tr("in every view, clear the selected kernel or op; press again to clear the filter, "
                         "or to leave a view shown alone")},
          {tr("Alt + wheel, Page Up, Page Down"), tr("scroll the rows")},
          {tr("Shift+Up, Shift+Down"), tr("go to another row")},
          {tr("Alt+Up, Alt+Down, drag its label"), tr("move the row")},
          {tr("C, P, H"), tr("fold, pin, hide the row")},
          {tr("M"), tr("mark the cursor's moment with a note")},
          {tr("N, Shift+N"), tr("next mark, previous mark")},
          {tr("E, Delete"), tr("edit or remove the mark at the fixed cursor")},
          {tr("[, ]"), tr("up and down the chain: module, op, launch, kernel, wait")}}},
        {tr("Comparison of two runs"),
         {{tr("L"), tr("align both at the selected span")},
          {tr("X"), tr("swap the runs")},
          {tr("Click on a block"), tr("select its counterpart in the other run, and its row")},
          {tr("Click on a row, Enter"),
           tr("align both at its first kernel, op, module or phase; for memory, at the peaks")},
          {tr("Ctrl+F, F3"), tr("find a name of either run in the table; next match")},
          {tr("Esc"), tr("back to one run")}}},
        {tr("Tables"),
         {{tr("Enter, double click"), tr("go to the row's longest instance in the timeline")},
          {tr("Ctrl+C, Ctrl+Shift+C"), tr("copy the selected rows as tab-separated text, as Markdown")},
          {tr("Left, Right"), tr("close and open a group")},
          {tr("Shift+F10, Menu"), tr("open the row's menu: filter, find, sort by a column, choose columns")},
          {tr("Right click on a title"), tr("choose the columns")},
          {tr("Click a column's title"), tr("sort by it")}}},
        {tr("Find"), {{tr("Enter, Shift+Enter, F3, Shift+F3"), tr("next match, previous match")}}},
        {tr("Treemap and flame charts"),
         {{tr("Click, Enter"), tr("zoom into a block")},
          {tr("Backspace, Esc"), tr("zoom out of it")},
          {tr("Arrow keys"), tr("go from block to block")}}},
        {tr("Allocation map and charts"),
         {{tr("Arrow keys"), tr("go from one to the next")},
          {tr("Ctrl + wheel on the map"), tr("zoom along the addresses")},
          {tr("Enter"), tr("show an allocation's lifetime, or what a dot or bar stands for")}}},
        {tr("Lessons"),
         {{tr("Space, Enter"), tr("show the answer, then go on")},
          {tr("Right, Page Down"), tr("next step")},
          {tr("Left, Page Up"), tr("previous step")},
          {tr("Esc"), tr("leave the lesson")}}},
        {tr("Everywhere"),
         {{tr("Tab, Shift+Tab"), tr("next and previous control")},
          {tr("Ctrl+Page Down, Ctrl+Page Up"), tr("next and previous run")},
          {tr("Drop a run file"), tr("open it; two at once are compared")}}},
    };
}

QList<KeySection> allKeys(const QList<Command>& commands) {
    QList<KeySection> sections;
    for (const Command& command : commands) {
        if (command.shortcut.isEmpty())
            continue;
        if (sections.isEmpty() || sections.last().title != command.menu())
            sections << KeySection{command.menu(), {}};
        sections.last().hints << KeyHint{command.shortcut, command.title.section(QStringLiteral(" › "), 1)};
    }
    return sections + viewKeys();
}

ShortcutSheet::ShortcutSheet(QList<KeySection> sections, QWidget* parent)
    : QDialog(parent), m_sections(std::move(sections)) {
    setWindowTitle(tr("Keys and Mouse"));
    setObjectName(QStringLiteral("shortcutSheet"));
    m_query = new QLineEdit(this);
    m_query->setPlaceholderText(tr("Search keys"));
    m_query->setAccessibleName(tr("Search keys"));
    m_text = new QTextBrowser(this);
    ui::setNames(m_text, "shortcutText", tr("Keys and what they do"));
    m_text->setFrameShape(QFrame::NoFrame);
    auto* layout = ui::spaced(new QVBoxLayout(this), ui::Metrics::kSpace4, ui::Metrics::kSpace3);
    layout->addWidget(m_query);
    layout->addWidget(m_text, 1);
    connect(m_query, &QLineEdit::textChanged, this, &ShortcutSheet::fill);
    resize(620, 640);
    fill({});
}

void ShortcutSheet::fill(const QString& query) {
    const ui::ThemeColors& colors = ui::Theme::instance().colors();
    QString html;
    for (const KeySection& section : m_sections) {
        QString rows;
        for (const KeyHint& hint : section.hints) {
            if (answers(section, hint, query))
                rows += QStringLiteral(
                            "<tr><td width='220' style='padding:3px 16px 3px 0'>%1</td>"
                            "<td style='padding:3px 0; color:%3'>%2</td></tr>")
                            .arg(hint.keys.toHtmlEscaped(), hint.what.toHtmlEscaped(), colors.text.name());
        }
        if (!rows.isEmpty())
            html += QStringLiteral(
                        "<p style='margin:12px 0 4px 0; font-weight:600; color:%2'>%1</p>"
                        "<table style='color:%3'>%4</table>")
                        .arg(section.title.toHtmlEscaped(), colors.text.name(), colors.secondaryText.name(),
                             rows);
    }
    m_text->setHtml(html.isEmpty() ? tr("No shortcut matches.") : html);
}

}  // namespace warpglass::app
