#include "ui/charts/bridge_line.h"

#include <algorithm>

#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

const QString kArrow = QStringLiteral("  →  "), kAfterWhat = QStringLiteral("   ");

}  // namespace

BridgeLine::BridgeLine(const QString& what, QWidget* parent) : QLabel(parent), m_what(what) {
    setTextFormat(Qt::RichText);
    setFont(Theme::tableFont());
    setFixedHeight(kHeight);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(&Theme::instance(), &Theme::changed, this, &BridgeLine::showParts);
}

void BridgeLine::setBridge(const std::optional<Bridge>& bridge) {
    m_bridge = bridge;
    QStringList lines;
    if (bridge) {
        for (const Bridge::Part& part : bridge->parts)
            lines << tr("%1: %2, from %3 to %4")
                         .arg(toQString(part.name), toQString(bridge->signedFigure(part.difference())),
                              toQString(bridge->figure(part.a)), toQString(bridge->figure(part.b)));
        setAccessibleName(tr("%1: %2").arg(m_what, toQString(bridge->text())));
    }
    setToolTip(lines.join(QLatin1Char('\n')));
    showParts();
}

void BridgeLine::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    showParts();
}

void BridgeLine::showParts() {
    if (!m_bridge)
        return clear();
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetrics metrics(font());
    const int room = width();
    QString rich;
    for (std::size_t most = std::max<std::size_t>(1, m_bridge->parts.size()); most >= 1; --most) {
        const QString begin = toQString(m_bridge->figure(m_bridge->a));
        QString plain = m_what + kAfterWhat + begin;
        rich =
            QStringLiteral("<span style=\"color:%1\">%2</span>%3<b>%4</b>")
                .arg(colors.secondaryText.name(), m_what.toHtmlEscaped(), kAfterWhat, begin.toHtmlEscaped());
        for (const Bridge::Part& part : m_bridge->shownParts(most)) {
            const QString name = toQString(part.name);
            const QString by = toQString(m_bridge->signedFigure(part.difference()));
            plain += kArrow + name + QLatin1Char(' ') + by;
            rich +=
                QStringLiteral("%1%2 <span style=\"color:%3\">%4</span>")
                    .arg(kArrow, name.toHtmlEscaped(),
                         Theme::readableOn(part.difference() < 0 ? colors.less : colors.more, colors.panel)
                             .name(),
                         by.toHtmlEscaped());
        }
        const QString end = toQString(m_bridge->figure(m_bridge->b));
        plain += kArrow + end;
        rich += kArrow + QStringLiteral("<b>%1</b>").arg(end.toHtmlEscaped());
        // Bold figures are a little wider.
        if (metrics.horizontalAdvance(plain) + 16 <= room)
            break;
    }
    setText(QStringLiteral("<span style=\"white-space:pre\">%1</span>").arg(rich));
}

}  // namespace warpglass::ui
