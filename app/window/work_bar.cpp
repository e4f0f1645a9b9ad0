#include "app/window/work_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kTextWidth = 320;  // a file's name may be long
constexpr int kProgressWidth = 160;

}  // namespace

WorkBar::WorkBar(QWidget* parent)
    : QWidget(parent),
      m_text(ui::named(new QLabel(this), "workText")),
      m_progress(ui::named(new QProgressBar(this), "workProgress")),
      m_cancel(ui::named(new QPushButton(tr("Cancel"), this), "workCancel")) {
    m_text->setTextFormat(Qt::PlainText);
    m_progress->setFixedWidth(kProgressWidth);
    m_progress->setTextVisible(false);
    auto* layout = ui::spaced(new QHBoxLayout(this), {}, ui::Metrics::kSpace2);
    ui::addAll(layout, {m_text, m_progress, m_cancel});
    m_notice.setSingleShot(true);
    m_notice.setInterval(kNoticed);
    connect(&m_notice, &QTimer::timeout, this, [this] { setNoticed(true); });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (!m_works.isEmpty())
            emit canceled(m_works.last().kind);
    });
    hide();
}

void WorkBar::report(Kind kind, const QString& text, double fraction) {
    const auto known = std::ranges::find(m_works, kind, &Work::kind);
    if (known == m_works.end()) {
        m_works.append({kind, text, fraction});
        if (!m_noticed && !m_notice.isActive())
            m_notice.start();
    } else {
        known->text = text;
        known->fraction = fraction;
    }
    showLast();
}

void WorkBar::finish(Kind kind) {
    m_works.removeIf([kind](const Work& work) { return work.kind == kind; });
    if (m_works.isEmpty())
        setNoticed(false);
    else
        showLast();
}

void WorkBar::setNoticed(bool noticed) {
    if (!noticed)
        m_notice.stop();
    if (m_noticed == noticed)
        return;
    m_noticed = noticed;
    setVisible(noticed);
    emit noticedChanged();
}

void WorkBar::showLast() {
    const Work& work = m_works.last();
    m_text->setText(fontMetrics().elidedText(work.text, Qt::ElideMiddle, kTextWidth));
    m_text->setToolTip(work.text);
    m_progress->setAccessibleName(work.text);
    // A range of nothing moves without an end.
    m_progress->setRange(0, work.fraction < 0 ? 0 : 100);
    m_progress->setValue(static_cast<int>(std::clamp(work.fraction, 0.0, 1.0) * 100));
    m_cancel->setToolTip(work.kind == Kind::kSaving ? tr("Stops saving; no file is left behind")
                                                    : tr("Stops opening; what is open already stays"));
}

}  // namespace warpglass::app
