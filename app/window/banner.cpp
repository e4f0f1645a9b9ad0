#include "app/window/banner.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QTextLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

/// Text of any length in two lines at most, the last one cut. What is there whole can be selected and copied.
class TwoLines : public QLabel {
public:
    explicit TwoLines(QWidget* parent) : QLabel(parent) {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setMinimumWidth(1);
        takeLines();
    }
    /// As high as the text needs.
    void takeLines() {
        const Lines lines = linesAt(width());
        m_cut = lines.cut;
        setFixedHeight(std::max(1, static_cast<int>(lines.lines.size())) * fontMetrics().lineSpacing());
        // All of a cut one is in its details: QLabel would paint, and lay out, every line of it.
        const auto flags = m_cut ? Qt::NoTextInteraction : Qt::TextSelectableByMouse;
        if (textInteractionFlags() != flags)
            setTextInteractionFlags(flags);
        update();
    }

    bool isCut() const { return m_cut; }
    /// Its height is that of its lines.
    bool hasHeightForWidth() const override { return false; }
    QSize sizeHint() const override { return {400, fontMetrics().lineSpacing()}; }
    QSize minimumSizeHint() const override { return {1, fontMetrics().lineSpacing()}; }
    std::function<void()> resized;

protected:
    void paintEvent(QPaintEvent* event) override {
        if (!m_cut)
            return QLabel::paintEvent(event);
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        const QStringList lines = linesAt(width()).lines;
        for (int i = 0; i < lines.size(); ++i)
            painter.drawText(QRect(0, i * fontMetrics().lineSpacing(), width(), fontMetrics().lineSpacing()),
                             Qt::AlignLeft | Qt::AlignVCenter, lines[i]);
    }
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        if (event->oldSize().width() == width())
            return;
        takeLines();
        if (resized)
            resized();
    }

private:
    struct Lines {
        QStringList lines;
        bool cut = false;
    };
    Lines linesAt(int width) const {
        Lines found;
        // As much as two lines of any window hold: a crafted file has sentences of thousands of letters.
        const QString all = ui::cutName(text(), kMostLetters);
        QTextLayout layout(all, font());
        layout.beginLayout();
        QTextLine line = layout.createLine();
        if (line.isValid()) {
            line.setLineWidth(std::max(1, width));
            found.lines << all.left(line.textLength()).trimmed();
            const QString rest = all.mid(line.textLength());
            if (!rest.isEmpty())
                found.lines << fontMetrics().elidedText(rest, Qt::ElideRight, std::max(1, width));
            found.cut = all != text() || (!rest.isEmpty() && found.lines.last() != rest);
        }
        layout.endLayout();
        return found;
    }

    static constexpr int kMostLetters = 1200;
    bool m_cut = false;
};

Banner::Banner(QWidget* parent)
    : QFrame(parent), m_layout(new QHBoxLayout(this)), m_text(new TwoLines(this)) {
    setProperty("banner", true);
    m_layout->setContentsMargins(ui::Metrics::kCardMargins);
    m_layout->setSpacing(ui::Metrics::kSpace2);
    m_layout->addWidget(m_text, 1, Qt::AlignVCenter);
    m_details = addButton(tr("Details"), tr("Shows the whole message, to read and to copy"));
    ui::setNames(m_details, "bannerDetails", tr("Details of the message"));
    connect(m_details, &QPushButton::clicked, this, &Banner::showDetails);
    m_text->resized = [this] { m_details->setVisible(m_text->isCut()); };
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
    if (sentences == m_sentences) {
        setVisible(!sentences.isEmpty());
        return;
    }
    m_sentences = sentences;
    m_text->setText(sentences.join(QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' ')));
    m_text->setToolTip(sentences.size() > 1
                           ? ui::cutName(sentences.join(QLatin1Char('\n')), ui::kMostToolTipLetters)
                                 .toHtmlEscaped()
                                 .replace(QLatin1Char('\n'), QLatin1String("<br>"))
                           : QString());
    m_text->takeLines();
    m_details->setVisible(m_text->isCut());
    setVisible(!sentences.isEmpty());
    if (m_dialog)
        m_dialog->close();  // it is of other sentences
}

void Banner::showDetails() {
    if (m_dialog) {
        m_dialog->raise();
        return m_dialog->activateWindow();
    }
    m_dialog = new QDialog(this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setObjectName(QStringLiteral("bannerDialog"));
    m_dialog->setWindowTitle(tr("Details"));
    auto* text = new QPlainTextEdit(m_dialog);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    text->setAccessibleName(tr("Notes on the run"));
    text->setPlainText(m_sentences.join(QLatin1Char('\n')));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, m_dialog);
    connect(buttons, &QDialogButtonBox::rejected, m_dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(m_dialog);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    m_dialog->resize(640, 320);
    m_dialog->open();
}

}  // namespace warpglass::app
