#include "ui/panels/property_list.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <climits>

#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kRow = 20;
constexpr int kTitleLine = 18;
constexpr int kSmallLine = 14;
/// The line of a sentence and of one that answers; and what is over and under either.
constexpr int kSentenceLine = 16, kAnswerLine = 18, kAnswerMargin = 3;
/// Fits "Launched by" in the text font.
constexpr int kLabelWidth = 84;
constexpr int kHeading = 16 + Metrics::kSpace2;
/// Fits "1,234.5 ms" and what tells one name from another, in the table font.
constexpr int kLeastValue = 96;

/// Fits "Next wait": where there is no room for both columns.
constexpr int kNarrowLabel = 62;

/// In lines of fewer pixels a whole name is torn to pieces: its ends in one line say more.
constexpr int kFewCharacters = 180;

bool isNarrow(int width) {
    return width - 2 * Metrics::kSpace4 - kLabelWidth < kLeastValue;
}

int marginOf(int width) {
    return isNarrow(width) ? Metrics::kSpace2 : Metrics::kSpace4;
}

/// The room of texts.
int roomIn(int width) {
    return width - 2 * marginOf(width);
}

/// Whether there is a line for the label and one for the value: in a narrow list, where both do not fit in
/// one.
bool isStacked(const Property& property, int width) {
    if (!isNarrow(width) || property.label.isEmpty() || property.value.isEmpty())
        return false;
    const QFontMetrics metrics(Theme::tableFont());
    return metrics.horizontalAdvance(property.label) > kNarrowLabel - Metrics::kSpace1 ||
           metrics.horizontalAdvance(cutName(property.value)) > roomIn(width) - kNarrowLabel;
}

/// What its label takes of the line of its value.
int labelWidthOf(const Property& property, int width) {
    if (!isNarrow(width))
        return kLabelWidth;
    return property.label.isEmpty() || isStacked(property, width) ? 0 : kNarrowLabel;
}

QFont sentenceFont(const Property& property) {
    return property.answers ? Theme::textFont() : Theme::tableFont();
}

/// A text's lines at this width, the last one elided; a name without a blank is broken anywhere.
QStringList brokenLines(const QString& name, const QFont& font, int most, int width) {
    if (name.isEmpty())
        return {};
    const QString text = cutName(name, kMostToolTipLetters);
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(40, width));
        if (lines.size() + 1 == most) {
            lines << QFontMetricsF(font).elidedText(text.mid(line.textStart()),
                                                    lines.empty() ? Qt::ElideMiddle : Qt::ElideRight, width);
            break;
        }
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

QStringList sentenceLines(const Property& property, int room) {
    return brokenLines(property.label, sentenceFont(property), INT_MAX, room);
}

QFont titleFont() {
    QFont font = Theme::textFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont smallMonoFont() {
    constexpr int kSize = 10;  // px: whole signatures, which are copied more than they are read
    return sized(Theme::monoFont(), kSize);
}

}  // namespace

Property answerOf(const QString& sentence, const QString& toolTip) {
    return {sentence, {}, toolTip, -1, true, true};
}

PropertyList::PropertyList(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMouseTracking(true);
}

void PropertyList::setContent(const QString& heading, const QString& title,
                              std::vector<Property> properties) {
    if (heading == m_heading && title == m_title && properties == m_properties && m_wholeName.isEmpty())
        return;
    m_wholeName.clear();
    m_heading = heading;
    m_title = title;
    m_properties = std::move(properties);
    m_hovered = -1;
    setFocusPolicy(hasLinks() ? Qt::StrongFocus : Qt::NoFocus);
    // The keyboard stays near where it was: the line that was chosen is often no link any more.
    if (m_current >= 0 && (m_current >= static_cast<int>(m_properties.size()) ||
                           m_properties[static_cast<std::size_t>(m_current)].link < 0)) {
        const int from = std::min(m_current, static_cast<int>(m_properties.size()));
        const int before = nextLink(from, -1);
        m_current = before >= 0 ? before : nextLink(from, 1);
    }
    unsetCursor();
    setAccessibleName(heading);
    setAccessibleDescription(asText());
    updateGeometry();
    update();
}

void PropertyList::setWholeName(const QString& name) {
    if (name == m_wholeName)
        return;
    m_wholeName = name;
    setAccessibleDescription(asText());
    updateGeometry();
    update();
}

void PropertyList::setMostTitleLines(int most) {
    if (most == m_mostTitleLines)
        return;
    m_mostTitleLines = most;
    updateGeometry();
    update();
}

void PropertyList::setSaidAbove(bool head, bool answer) {
    m_headSaid = head;
    m_answerSaid = answer;
    updateGeometry();
    update();
}

bool PropertyList::isSaidAbove(const Property& property) const {
    return m_answerSaid && beginsWithAnswer() && &property == &m_properties.front();
}

QString PropertyList::asText() const {
    QStringList lines;
    for (const QString& name : {m_title, m_wholeName}) {
        if (!name.isEmpty())
            lines << name;
    }
    for (const Property& p : m_properties)
        lines << p.label + QLatin1Char('\t') + p.value;
    return lines.join(QLatin1Char('\n'));
}

QStringList PropertyList::titleLines(int width) const {
    return m_headSaid ? QStringList() : brokenLines(m_title, titleFont(), m_mostTitleLines, width);
}

QStringList PropertyList::wholeNameLines(int width) const {
    const int most = width < kFewCharacters ? 1 : kMostTitleLines;
    return brokenLines(m_wholeName, smallMonoFont(), most, width);
}

int PropertyList::headHeight(int width) const {
    int height = Metrics::kSpace3;
    if (!m_heading.isEmpty() && !m_headSaid)
        height += kHeading;
    const int room = roomIn(width);
    const auto title = static_cast<int>(titleLines(room).size());
    const auto whole = static_cast<int>(wholeNameLines(room).size());
    height += title * kTitleLine + whole * kSmallLine;
    return title + whole > 0 ? height + Metrics::kSpace1 : height;
}

int PropertyList::lineHeight(const Property& property, int width) const {
    if (isSaidAbove(property))
        return 0;
    if (property.wraps)
        return static_cast<int>(sentenceLines(property, roomIn(width)).size()) *
                   (property.answers ? kAnswerLine : kSentenceLine) +
               2 * kAnswerMargin;
    return isStacked(property, width) ? kRow + kTitleLine : kRow;
}

int PropertyList::heightForWidth(int width) const {
    int height = headHeight(width) + Metrics::kSpace2;
    for (const Property& property : m_properties)
        height += lineHeight(property, width);
    return height;
}

QSize PropertyList::sizeHint() const {
    constexpr int kWidth = 264;
    return {kWidth, heightForWidth(width() > 0 ? width() : kWidth)};
}

/// A layout takes the size hint for the most that it may be high, and asks for it once.
void PropertyList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width())
        updateGeometry();
}

void PropertyList::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    const int left = marginOf(width()), room = roomIn(width());
    int y = Metrics::kSpace3;
    if (!m_heading.isEmpty() && !m_headSaid) {
        painter.setFont(Theme::headFont());
        painter.setPen(colors.secondaryText);
        painter.drawText(QRect(left, y, room, 16), Qt::AlignVCenter | Qt::AlignLeft,
                         m_heading.toUpper());  // an SVG's font has no capitals
        y += kHeading;
    }
    const auto drawName = [&](const QStringList& lines, const QFont& font, const QColor& color, int height) {
        painter.setFont(font);
        painter.setPen(color);
        for (const QString& line : lines) {
            painter.drawText(QRect(left, y, room, height), Qt::AlignVCenter | Qt::AlignLeft, line);
            y += height;
        }
    };
    drawName(titleLines(room), titleFont(), colors.text, kTitleLine);
    drawName(wholeNameLines(room), smallMonoFont(), colors.secondaryText, kSmallLine);
    y = headHeight(width());
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(painter.font(), painter.device());
    for (int i = 0; i < static_cast<int>(m_properties.size()); ++i) {
        const Property& p = m_properties[static_cast<std::size_t>(i)];
        if (isSaidAbove(p))
            continue;
        const bool link = p.link >= 0, stacked = isStacked(p, width());
        const int height = lineHeight(p, width());
        if (link && (i == m_hovered || (i == m_current && hasFocus())))
            painter.fillRect(QRect(0, y, width(), height), colors.hover);
        painter.setFont(sentenceFont(p));
        painter.setPen(p.answers ? colors.text : colors.secondaryText);
        if (p.wraps) {
            const int line = p.answers ? kAnswerLine : kSentenceLine;
            int top = y + kAnswerMargin;
            for (const QString& text : sentenceLines(p, room)) {
                painter.drawText(QRect(left, top, room, line), Qt::AlignVCenter | Qt::AlignLeft, text);
                top += line;
            }
            y += height;
            continue;
        }
        const bool alone = p.value.isEmpty() || stacked;
        const QRect label(left, y, alone ? room : labelWidthOf(p, width()), kRow);
        painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft,
                         alone ? metrics.elidedText(p.label, Qt::ElideRight, label.width()) : p.label);
        const QRect value = valueRect(i);
        painter.setPen(link ? colors.accent : colors.text);
        painter.drawText(value, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(cutName(p.value), Qt::ElideMiddle, value.width()));
        y += height;
    }
}

QRect PropertyList::lineRect(int row) const {
    int top = headHeight(width());
    for (int i = 0; i < row; ++i)
        top += lineHeight(m_properties[static_cast<std::size_t>(i)], width());
    return {0, top, width(), lineHeight(m_properties[static_cast<std::size_t>(row)], width())};
}

QRect PropertyList::valueRect(int row) const {
    const int margin = marginOf(width());
    const QRect line = lineRect(row).adjusted(margin, 0, -margin, 0);
    return line.adjusted(labelWidthOf(m_properties[static_cast<std::size_t>(row)], width()),
                         line.height() - kRow, 0, 0);
}

int PropertyList::lineAt(QPoint position) const {
    int bottom = headHeight(width());
    if (position.y() < bottom)
        return -1;
    for (std::size_t i = 0; i < m_properties.size(); ++i) {
        bottom += lineHeight(m_properties[i], width());
        if (position.y() < bottom)
            return static_cast<int>(i);
    }
    return -1;
}

int PropertyList::linkAt(QPoint position) const {
    const int row = lineAt(position);
    return row >= 0 && m_properties[static_cast<std::size_t>(row)].link >= 0 ? row : -1;
}

int PropertyList::nextLink(int row, int by) const {
    for (row += by; row >= 0 && row < static_cast<int>(m_properties.size()); row += by) {
        if (m_properties[static_cast<std::size_t>(row)].link >= 0)
            return row;
    }
    return -1;
}

void PropertyList::mouseMoveEvent(QMouseEvent* event) {
    const int hovered = linkAt(event->position().toPoint());
    if (hovered == m_hovered)
        return;
    m_hovered = hovered;
    if (hovered >= 0)
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
    update();
}

void PropertyList::mouseReleaseEvent(QMouseEvent* event) {
    const int row = linkAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || row < 0)
        return QWidget::mouseReleaseEvent(event);
    m_current = row;
    emit activated(m_properties[static_cast<std::size_t>(row)].link);
}

void PropertyList::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void PropertyList::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down: {
            const bool up = event->key() == Qt::Key_Up;
            const int from = m_current < 0 && up ? static_cast<int>(m_properties.size()) : m_current;
            if (const int next = nextLink(from, up ? -1 : 1); next >= 0)
                m_current = next;
            return update();
        }
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            if (m_current >= 0)
                emit activated(m_properties[static_cast<std::size_t>(m_current)].link);
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

void PropertyList::focusInEvent(QFocusEvent* event) {
    if (m_current < 0)
        m_current = nextLink(-1, 1);
    QWidget::focusInEvent(event);
    update();
}

void PropertyList::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

bool PropertyList::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = lineAt(help->pos());
        QString text;
        if (row >= 0) {
            const Property& p = m_properties[static_cast<std::size_t>(row)];
            // The exact value does not tell what has been cut out of this one.
            const bool cut =
                QFontMetrics(Theme::tableFont()).horizontalAdvance(cutName(p.value)) > valueRect(row).width();
            text = p.toolTip.isEmpty() || p.toolTip == p.value ? p.value
                   : cut && !p.toolTip.contains(p.value)       ? p.value + QLatin1Char('\n') + p.toolTip
                                                               : p.toolTip;
        } else if (help->pos().y() < headHeight(width())) {
            text = m_wholeName.isEmpty() ? m_title : m_wholeName;
        }
        QToolTip::showText(help->globalPos(), cutName(text, kMostToolTipLetters), this);
        return true;
    }
    return QWidget::event(event);
}

void PropertyList::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    if (const QString name = m_wholeName.isEmpty() ? m_title : m_wholeName; !name.isEmpty())
        menu.addAction(tr("Copy Name"), this, [name] { QApplication::clipboard()->setText(name); });
    menu.addAction(tr("Copy"), this, [this] { QApplication::clipboard()->setText(asText()); });
    menu.exec(event->globalPos());
}

}  // namespace warpglass::ui
