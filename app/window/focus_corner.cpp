#include "app/window/focus_corner.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QToolButton>

#include "ui/models/run_filter.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

/// Of the words: beside all menus in a window of 1280 pixels.
constexpr int kWordsWidth = 360;

}  // namespace

FocusCorner::FocusCorner(ui::RunFilter& filter, QMenuBar& bar)
    : QWidget(&bar),
      m_filter(filter),
      m_bar(bar),
      m_counts(new QToolButton(this)),
      m_leave(new QPushButton(tr("Show everything (Esc)"), this)) {
    m_counts->setObjectName(QStringLiteral("focusFilter"));
    m_counts->setProperty("chip", true);
    m_counts->setFont(ui::Theme::tableFont());
    m_counts->setPopupMode(QToolButton::InstantPopup);
    m_counts->setFocusPolicy(Qt::TabFocus);
    m_counts->setMenu(new QMenu(m_counts));
    connect(m_counts->menu(), &QMenu::aboutToShow, this, &FocusCorner::fillMenu);
    m_leave->setObjectName(QStringLiteral("leaveFocus"));
    m_leave->setToolTip(tr("All views and the run panel again (Esc, F11)"));
    connect(m_leave, &QPushButton::clicked, this, &FocusCorner::leaveRequested);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(ui::Metrics::kSpace2);
    layout->addWidget(m_counts);
    layout->addWidget(m_leave);
    connect(&m_filter, &ui::RunFilter::changed, this, [this] {
        if (!isHidden())
            showFilter();
    });
    hide();
    m_bar.setCornerWidget(this, Qt::TopRightCorner);
}

void FocusCorner::setShown(bool shown, bool filtered) {
    m_filtered = filtered;
    setVisible(shown);
    if (shown)
        showFilter();
}

void FocusCorner::showFilter() {
    const QString words = tr("Counts %1").arg(m_filter.allWords());
    m_counts->setText(m_counts->fontMetrics().elidedText(words, Qt::ElideRight, kWordsWidth));
    m_counts->setAccessibleName(words);
    m_counts->setToolTip(tr("%1; a click takes conditions away").arg(words));
    m_counts->setVisible(m_filtered && m_filter.state() != ui::RunFilter::State());
    // A menu bar asks for its corner's size only when it is given one.
    m_bar.setCornerWidget(this, Qt::TopRightCorner);
}

void FocusCorner::fillMenu() {
    QMenu& menu = *m_counts->menu();
    menu.clear();
    const QIcon cross = ui::makeQuietIcon(ui::Icon::kClose);
    const auto removal = [](QString what) {
        // An ampersand would mark a key.
        return tr("Remove %1").arg(what.replace(QLatin1Char('&'), QLatin1String("&&")));
    };
    for (const ui::RunFilter::Chip& chip : m_filter.chips())
        menu.addAction(cross, removal(chip.text), this,
                       [this, condition = chip.condition] { m_filter.remove(condition); });
    if (!m_filter.state().text.isEmpty())
        menu.addAction(cross, removal(QStringLiteral("“%1”").arg(m_filter.state().text)), this,
                       [this] { m_filter.setText({}); });
    menu.addSeparator();
    menu.addAction(tr("Clear the Filter"), &m_filter, &ui::RunFilter::reset);
}

}  // namespace warpglass::app
