#include "ui/charts/tool_tip_table.h"

#include "ui/theme/name_text.h"

namespace warpglass::ui {

void ToolTipTable::add(const QString& name, const QString& value, const QString& exact,
                       const QColor& swatch) {
    const QString mark = swatch.isValid()
                             ? QStringLiteral("<span style='color:%1'>■</span>&nbsp;").arg(swatch.name())
                             : QString();
    m_rows += QStringLiteral(
                  "<tr><td>%1</td><td style='padding-right:16px'>%2</td><td align='right'>%3</td>"
                  "<td align='right' style='padding-left:16px'>%4</td></tr>")
                  .arg(mark, cutName(name).toHtmlEscaped(), value.toHtmlEscaped(), exact.toHtmlEscaped());
}

QString ToolTipTable::html() const {
    QString text = QStringLiteral("<b>%1</b><table>%2</table>")
                       .arg(cutName(m_head, kMostToolTipLetters).toHtmlEscaped(), m_rows);
    for (const QString& sentence : m_sentences)
        text += QStringLiteral("<p style='margin-top:4px'>%1</p>")
                    .arg(cutName(sentence, kMostToolTipLetters).toHtmlEscaped());
    return text;
}

}  // namespace warpglass::ui
