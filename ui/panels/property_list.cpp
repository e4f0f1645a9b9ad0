#include "ui/panels/property_list.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QTextLayout>
#include <QToolTip>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kRow = 24;
constexpr int kTitleLine = 16;
constexpr int kMostTitleLines = 3;
/// Fits "Launched by" in the text font.
constexpr int kLabelWidth = 84;
constexpr int kHeading = 16 + Metrics::kSpace2;

}  // namespace

PropertyList::PropertyList(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PropertyList::setContent(const QString& heading, const QString& title,
                              std::vector<Property> properties) {
    if (heading == m_heading && title == m_title && properties == m_properties)
        return;
    m_heading = heading;
    m_title = title;
    m_properties = std::move(properties);
    setAccessibleName(heading);
    setAccessibleDescription(asText());
    updateGeometry();
    update();
}

QString PropertyList::asText() const {
    QStringList lines;
    if (!m_title.isEmpty())
        lines << m_title;
    for (const Property& p : m_properties)
        lines << p.label + QLatin1Char('\t') + p.value;
    return lines.join(QLatin1Char('\n'));
}

QStringList PropertyList::titleLines(int width) const {
    if (m_title.isEmpty())
        return {};
    const QFont font = Theme::monoFont();
    QTextLayout layout(m_title, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(40, width));
        if (lines.size() + 1 == kMostTitleLines) {
            lines << QFontMetricsF(font).elidedText(m_title.mid(line.textStart()), Qt::ElideRight, width);
            break;
        }
        lines << m_title.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

int PropertyList::headHeight(int width) const {
    int height = Metrics::kSpace3;
    if (!m_heading.isEmpty())
        height += kHeading;
    if (const auto lines = titleLines(width - 2 * Metrics::kSpace4).size(); lines > 0)
        height += static_cast<int>(lines) * kTitleLine + Metrics::kSpace2;
    return height;
}

int PropertyList::heightForWidth(int width) const {
    return headHeight(width) + static_cast<int>(m_properties.size()) * kRow + Metrics::kSpace2;
}

QSize PropertyList::sizeHint() const {
    constexpr int kWidth = 264;
    return {kWidth, heightForWidth(width() > 0 ? width() : kWidth)};
}

void PropertyList::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    const int left = Metrics::kSpace4, room = width() - 2 * Metrics::kSpace4;
    int y = Metrics::kSpace3;
    if (!m_heading.isEmpty()) {
        painter.setFont(Theme::headFont());
        painter.setPen(colors.secondaryText);
        painter.drawText(QRect(left, y, room, 16), Qt::AlignVCenter | Qt::AlignLeft, m_heading);
        y += kHeading;
    }
    if (const QStringList lines = titleLines(room); !lines.isEmpty()) {
        painter.setFont(Theme::monoFont());
        painter.setPen(colors.text);
        for (const QString& line : lines) {
            painter.drawText(QRect(left, y, room, kTitleLine), Qt::AlignVCenter | Qt::AlignLeft, line);
            y += kTitleLine;
        }
        y += Metrics::kSpace2;
    }
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(painter.font(), painter.device());
    for (const Property& p : m_properties) {
        painter.setPen(colors.secondaryText);
        painter.drawText(QRect(left, y, kLabelWidth, kRow), Qt::AlignVCenter | Qt::AlignLeft, p.label);
        const QRect value(left + kLabelWidth, y, room - kLabelWidth, kRow);
        painter.setPen(colors.text);
        painter.drawText(value, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(p.value, Qt::ElideMiddle, value.width()));
        y += kRow;
    }
}

bool PropertyList::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int top = headHeight(width());
        const int row = (help->pos().y() - top) / kRow;
        if (help->pos().y() < top)
            QToolTip::showText(help->globalPos(), m_title, this);
        else if (row < static_cast<int>(m_properties.size())) {
            const Property& p = m_properties[static_cast<std::size_t>(row)];
            QToolTip::showText(help->globalPos(), p.toolTip.isEmpty() ? p.value : p.toolTip, this);
        }
        return true;
    }
    return QWidget::event(event);
}

void PropertyList::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy"), this, [this] { QApplication::clipboard()->setText(asText()); });
    menu.exec(event->globalPos());
}

}  // namespace warpglass::ui
