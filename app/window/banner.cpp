#include "app/window/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

Banner::Banner(QWidget* parent) : QFrame(parent), m_layout(new QHBoxLayout(this)), m_text(new QLabel(this)) {
    setProperty("banner", true);
    m_text->setTextFormat(Qt::PlainText);
    ui::wrapWords(*m_text);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_layout->setContentsMargins(ui::Metrics::kSpace3, ui::Metrics::kSpace2, ui::Metrics::kSpace3,
                                 ui::Metrics::kSpace2);
    m_layout->setSpacing(ui::Metrics::kSpace2);
    m_layout->addWidget(m_text, 1);
    hide();
}

QPushButton* Banner::addButton(const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(toolTip);
    button->hide();
    m_layout->addWidget(button, 0, Qt::AlignTop);
    return button;
}

void Banner::setSentences(const QStringList& sentences) {
    QStringList lines = sentences;
    if (lines.size() > kMostLines) {
        lines = lines.mid(0, kMostLines - 1);
        lines << tr("… and %1 more.").arg(sentences.size() - lines.size());
    }
    m_text->setText(lines.join(QLatin1Char('\n')));
    m_text->setToolTip(lines.size() < sentences.size()
                           ? sentences.join(QLatin1Char('\n'))
                                 .toHtmlEscaped()
                                 .replace(QLatin1Char('\n'), QLatin1String("<br>"))
                           : QString());
    setVisible(!sentences.isEmpty());
}

}  // namespace warpglass::app
