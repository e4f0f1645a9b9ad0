#include "ui/panels/filter_bar.h"

#include <QActionGroup>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QToolButton>
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr int kSquare = 24;  // the buttons
constexpr int kFieldWidth = 180, kLeastField = 84, kWideField = 320;
constexpr int kFieldBesideChips = 140;  // gives way to them, and to what stands at the bar's end
constexpr int kSquares = 2 * (kSquare + Metrics::kSpace1);
constexpr int kFirstChip = 148;
constexpr int kLeastChip = 132, kMostChip = 220;  // a long module path gives way to the other conditions

QToolButton* squareButton(Icon icon, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty("segment", true);
    button->setIcon(makeQuietIcon(icon));
    button->setAccessibleName(name);
    button->setFixedSize(kSquare, kSquare);
    return button;
}

}  // namespace

FilterBar::FilterBar(RunDocument& document, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_filter(filter),
      m_line(named(new FilterChipLine(parent), "filterLine")),
      m_back(squareButton(Icon::kChevronLeft, tr("Back to the previous filter"), this)),
      m_field(named(new QLineEdit(this), "filterText")),
      m_add(squareButton(Icon::kPlus, tr("Add a condition"), this)),
      m_more(named(new QToolButton(this), "filterMore")) {
    setObjectName(QStringLiteral("filterBar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_line->setFixedHeight(kSquare + Metrics::kSpace1 + 2);
    m_line->installEventFilter(this);
    parent->installEventFilter(this);
    m_line->hide();
    m_back->setFocusPolicy(Qt::TabFocus);
    m_back->setObjectName(QStringLiteral("filterBack"));
    m_back->setToolTip(
        tr("Back to the previous filter, or from a finding's evidence to where it was opened (Alt+Left)"));
    connect(m_back, &QToolButton::clicked, &m_filter, &RunFilter::back);
    m_field->setClearButtonEnabled(true);
    m_field->setFont(Theme::tableFont());
    m_field->addAction(makeQuietIcon(Icon::kSearch), QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, &m_filter, &RunFilter::setText);
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_add->setObjectName(QStringLiteral("filterAdd"));
    m_add->setToolTip(tr("Add a condition: steps, a phase, a module, a memory category"));
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setMenu(new QMenu(m_add));
    connect(m_add->menu(), &QMenu::aboutToShow, this, &FilterBar::fillAddMenu);
    m_more->setProperty("chip", true);
    m_more->setProperty("segment", false);
    m_more->setFont(Theme::tableFont());
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(new QMenu(m_more));
    connect(m_more->menu(), &QMenu::aboutToShow, this, &FilterBar::fillMoreMenu);
    m_more->hide();
    setFieldText(tr("Filter"), tr("Shows only entries with this text in their name, in the name of the op "
                                  "that launched them, or in the path of their module"));
    connect(&m_filter, &RunFilter::changed, this, &FilterBar::showFilter);
    connect(&m_filter, &RunFilter::chipsChanged, this, &FilterBar::showFilter);
    connect(&m_document, &RunDocument::snapshotChanged, this, &FilterBar::showFilter);
    showFilter();
}

void FilterBar::setFieldText(const QString& placeholder, const QString& toolTip) {
    m_field->setPlaceholderText(placeholder);
    m_field->setAccessibleName(placeholder);
    m_field->setToolTip(toolTip);
}

void FilterBar::setOfAllocations() {
    setFieldText(tr("Filter"), tr("Shows only allocations with this text in the name of their op, in the "
                                  "path of its module, or in their category"));
    // What is alive in a measured step was mostly made before it.
    setWithout({RunFilter::Condition::kSteps});
}

void FilterBar::setWithout(const std::vector<RunFilter::Condition>& conditions) {
    m_without = conditions;
    m_shown.clear();
    qDeleteAll(m_chips);
    m_chips.clear();
    showFilter();
}

QToolButton* FilterBar::makeChip(const FilterWords::Chip& chip) {
    const bool without = std::find(m_without.begin(), m_without.end(), chip.condition) != m_without.end();
    auto* button = new QToolButton(m_more->parentWidget());
    button->setObjectName(QStringLiteral("chip%1").arg(static_cast<int>(chip.condition)));
    button->setProperty("chip", true);
    button->setProperty("without", without);
    button->setFont(Theme::tableFont());
    button->setIcon(makeQuietIcon(Icon::kClose));
    button->setLayoutDirection(Qt::RightToLeft);  // the cross stands after the words
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    button->setText(chip.text);
    button->setAccessibleName(tr("Filter: %1").arg(chip.text));
    button->setToolTip(
        without ? tr("%1\nIt does not apply to what is shown here; click to remove it").arg(chip.toolTip)
                : tr("%1; click to remove it").arg(chip.toolTip));
    button->installEventFilter(this);
    connect(button, &QToolButton::clicked, this,
            [this, condition = chip.condition] { m_filter.remove(condition); });
    button->show();
    button->ensurePolished();  // its size is asked for at once
    return button;
}

void FilterBar::showFilter() {
    if (m_field->text() != m_filter.state().text) {
        const QSignalBlocker blocker(m_field);
        m_field->setText(m_filter.state().text);
    }
    const std::vector<FilterWords::Chip> chips = m_filter.words().chips();
    if (chips != m_shown) {
        // A chip that is being clicked may not be deleted under its own signal.
        std::optional<std::size_t> focused;
        for (qsizetype i = 0; i < m_chips.size(); ++i) {
            if (window()->focusWidget() == m_chips[i])
                focused = static_cast<std::size_t>(i);
        }
        const auto former = focused ? m_shown[*focused].condition : RunFilter::Condition();
        const QList<QToolButton*> old = std::exchange(m_chips, {});
        for (const FilterWords::Chip& chip : chips)
            m_chips << makeChip(chip);
        m_shown = chips;
        // On the chip that the person was at, or one beside it; in no field, where keys would be text.
        if (focused) {
            auto at = std::ranges::find(chips, former, &FilterWords::Chip::condition);
            const auto index = at != chips.end()
                                   ? at - chips.begin()
                                   : std::min(std::ssize(chips) - 1, static_cast<std::ptrdiff_t>(*focused));
            (index < 0 ? m_add : m_chips[index])->setFocus();
        }
        for (QToolButton* chip : old) {
            chip->hide();
            chip->deleteLater();
        }
        orderTabs();
        updateGeometry();
    }
    if (window()->focusWidget() == m_back && !m_filter.canGoBack())
        (m_chips.isEmpty() ? m_add : m_chips.first())->setFocus();
    m_back->setEnabled(m_filter.canGoBack());
    layOut();
}

/// As they stand: the chips between the field and the button in the bar, after it on their own line.
void FilterBar::orderTabs() {
    const bool below = m_more->parentWidget() == m_line;
    QWidget* before = m_field;
    if (below)
        setTabOrder(std::exchange(before, m_add), m_add);
    for (QToolButton* chip : m_chips)
        setTabOrder(std::exchange(before, chip), chip);
    setTabOrder(before, m_more);
    if (!below)
        setTabOrder(m_more, m_add);
}

QString FilterBar::figureWords() const {
    QStringList words;
    if (!m_filter.state().text.isEmpty())
        words << m_filter.words().of({RunFilter::Condition::kText});
    for (const FilterWords::Chip& chip : m_shown) {
        if (std::find(m_without.begin(), m_without.end(), chip.condition) == m_without.end())
            words << chip.text;
    }
    return words.join(QStringLiteral(" · "));
}

bool FilterBar::isNarrow() const {
    return m_line->parentWidget()->width() < kLeastWidthForChips;
}

int FilterBar::chipsWidth() const {
    int width = 0;
    for (const QToolButton* chip : m_chips)
        width += std::min(chip->sizeHint().width(), kMostChip) + Metrics::kSpace1;
    return width;
}

QSize FilterBar::sizeHint() const {
    const int rest = kSquares + Metrics::kSpace1, chips = chipsWidth();
    return {rest + (isNarrow() || m_chips.isEmpty() ? kFieldWidth : kFieldBesideChips + chips),
            Metrics::kControlHeight};
}

QSize FilterBar::minimumSizeHint() const {
    // Room for the one condition that there mostly is.
    const int first = m_chips.size() == 1
                          ? std::min(m_chips.first()->sizeHint().width(), kFirstChip) + Metrics::kSpace1
                          : 0;
    return {kSquares + kLeastField + first + Metrics::kSpace1, Metrics::kControlHeight};
}

void FilterBar::moveChips(QWidget* home) {
    if (m_more->parentWidget() == home)
        return;
    QWidget* const focus = window()->focusWidget();
    for (QToolButton* chip : m_chips)
        chip->setParent(home);
    m_more->setParent(home);
    for (QToolButton* chip : m_chips)
        chip->show();
    orderTabs();
    if (focus && focus->parentWidget() == home)
        focus->setFocus();
}

void FilterBar::layOut() {
    if (m_layingOut)
        return;  // the line, on being shown, learns its size
    const QScopedValueRollback<bool> once(m_layingOut, true);
    const int gap = Metrics::kSpace1;
    const int wanted = chipsWidth();
    const bool below = isNarrow();
    const int most = width() - kSquares - kLeastField - gap;
    const int inBar = std::clamp(wanted, 0, std::max(0, most));
    moveChips(below ? m_line : static_cast<QWidget*>(this));
    // Where the bar has been hidden, as around a view that is alone, the line is with it.
    const bool leftOut = isHidden() && testAttribute(Qt::WA_WState_ExplicitShowHide);
    m_line->setVisible(below && !leftOut && !FigureMode::holds(*m_line));
    const int fieldWidth = below ? std::clamp(width() - kSquares - gap, kLeastField, kWideField)
                                 : std::clamp(width() - kSquares - inBar - gap, kLeastField, kFieldWidth);
    const auto place = [&](QWidget* widget, int x, int w, int h) {
        widget->setGeometry(x, (height() - h) / 2, w, h);
        return x + w + gap;
    };
    int x = place(m_back, 0, kSquare, kSquare);
    x = place(m_field, x, fieldWidth, Metrics::kControlHeight);
    if (below) {
        place(m_add, x, kSquare, kSquare);
        layOutChips(Metrics::kSpace2, m_line->width() - 2 * Metrics::kSpace2);
    } else {
        layOutChips(x, inBar - gap);
        place(m_add, x + inBar, kSquare, kSquare);
    }
}

/// As wide as they ask for; narrower where they must be; the last ones under one where even that does not
/// fit.
void FilterBar::layOutChips(int x, int room) {
    const int gap = Metrics::kSpace1;
    const auto least = [&](qsizetype i) { return std::min(m_chips[i]->sizeHint().width(), kLeastChip); };
    const auto leastOf = [&](qsizetype count) {
        int width = count < m_chips.size() ? m_more->sizeHint().width() + gap : 0;
        for (qsizetype i = 0; i < count; ++i)
            width += least(i) + gap;
        return width;
    };
    qsizetype fitting = m_chips.size();
    m_more->setText(tr("%1 more").arg(m_chips.size()));
    while (fitting > 0 && leastOf(fitting) > room + gap)
        --fitting;
    m_more->setText(tr("%1 more").arg(m_chips.size() - fitting));
    m_more->setVisible(fitting < m_chips.size());
    const int top = m_more->parentWidget() == m_line ? 0 : (height() - kSquare) / 2;
    int left = room + gap - (m_more->isHidden() ? 0 : m_more->sizeHint().width() + gap);
    int after = leastOf(fitting) - (m_more->isHidden() ? 0 : m_more->sizeHint().width() + gap);
    for (qsizetype i = 0; i < m_chips.size(); ++i) {
        m_chips[i]->setVisible(i < fitting);
        if (i >= fitting)
            continue;
        after -= least(i) + gap;
        const int w = std::min(m_chips[i]->sizeHint().width(), std::max(least(i), left - after - gap));
        m_chips[i]->setGeometry(x, top, w, kSquare);
        x += w + gap;
        left -= w + gap;
    }
    if (!m_more->isHidden())
        m_more->setGeometry(x, top, m_more->sizeHint().width(), kSquare);
}

void FilterBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

bool FilterBar::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::Polish)
        layOut();
    // With whoever shows it, what stood beside it may come back too: the line, needed or not.
    if (event->type() == QEvent::ShowToParent)
        QMetaObject::invokeMethod(this, &FilterBar::layOut, Qt::QueuedConnection);
    return handled;
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_line || watched == m_line->parentWidget()) {
        if (event->type() == QEvent::Resize) {
            updateGeometry();
            layOut();
        }
        return QWidget::eventFilter(watched, event);
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        auto* chip = qobject_cast<QToolButton*>(watched);
        if (chip && (key == Qt::Key_Delete || key == Qt::Key_Backspace || key == Qt::Key_Return)) {
            chip->click();
            return true;
        }
        if (watched == m_field && key == Qt::Key_Escape && !m_field->text().isEmpty()) {
            m_field->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FilterBar::fillAddMenu() {
    QMenu& menu = *m_add->menu();
    menu.clear();
    auto* group = new QActionGroup(&menu);
    const auto steps = [&](const QString& text, RunFilter::Steps which) {
        QAction* action = menu.addAction(text, this, [this, which] { chooseSteps(m_filter, which); });
        makeCheckable(action, countsSteps(m_filter, which));
        group->addAction(action);
    };
    steps(tr("The Whole Run"), RunFilter::Steps::kAll);
    steps(tr("Measured Steps"), RunFilter::Steps::kMeasured);
    steps(tr("What the Timeline Shows"), RunFilter::Steps::kInView);
    menu.addSeparator();
    const auto& snapshot = m_document.snapshot();
    if (!snapshot)
        return;
    std::set<Phase> phases;
    for (std::size_t i = 0; i < snapshot->placeCount(); ++i)
        phases.insert(snapshot->place(PlaceId(i)).phase);
    phases.erase(Phase::kNone);
    QMenu* inPhase = menu.addMenu(tr("Only in Phase"));
    for (const Phase phase : phases) {
        QAction* action = inPhase->addAction(toQString(phaseName(phase)), this,
                                             [this, phase] { m_filter.setPhase(phase); });
        makeCheckable(action, m_filter.state().phase == phase);
    }
    inPhase->setEnabled(!phases.empty());
    addModules(*menu.addMenu(tr("Only in Module")));
    QMenu* ofCategory = menu.addMenu(tr("Only Memory of"));
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        const auto category = static_cast<Category>(c);
        QAction* action = ofCategory->addAction(toQString(categoryName(category)), this,
                                                [this, category] { m_filter.setCategory(category); });
        makeCheckable(action, m_filter.state().category == category);
    }
    ofCategory->setEnabled(snapshot->allocationCount() > 0);
    menu.addSeparator();
    menu.addAction(tr("Clear the Filter"), &m_filter, &RunFilter::reset);
}

/// Modules as a tree of menus: each with itself first, then what is in it.
void FilterBar::addModules(QMenu& menu) {
    const Snapshot& snapshot = *m_document.snapshot();
    // By number where paths have one: blocks.2 before blocks.10.
    const auto byNumber = [](const std::string& a, const std::string& b) {
        return a.size() != b.size() && a.substr(0, a.rfind('.')) == b.substr(0, b.rfind('.'))
                   ? a.size() < b.size()
                   : a < b;
    };
    std::map<std::string, std::set<std::string, decltype(byNumber)>> children;
    for (std::size_t i = 0; i < snapshot.placeCount(); ++i) {
        std::string path(snapshot.name(snapshot.place(PlaceId(i)).module));
        while (!path.empty()) {
            const std::size_t dot = path.rfind('.');
            const std::string parent = dot == std::string::npos ? std::string() : path.substr(0, dot);
            children.try_emplace(parent, byNumber).first->second.insert(path);
            path = parent;
        }
    }
    menu.setEnabled(!children.empty());
    const auto fill = [&](const auto& self, QMenu& into, const std::string& parent) -> void {
        for (const std::string& path : children.at(parent)) {
            const QString title = toQString(path);
            const auto choose = [this, path] { m_filter.setModule(path); };
            if (!children.contains(path)) {
                into.addAction(title, this, choose);
                continue;
            }
            QMenu* submenu = into.addMenu(title);
            submenu->addAction(tr("All of %1").arg(title), this, choose);
            submenu->addSeparator();
            self(self, *submenu, path);
        }
    };
    if (!children.empty())
        fill(fill, menu, {});
}

void FilterBar::fillMoreMenu() {
    QMenu& menu = *m_more->menu();
    menu.clear();
    for (qsizetype i = 0; i < m_chips.size(); ++i) {
        if (!m_chips[i]->isHidden())
            continue;
        const FilterWords::Chip& chip = m_shown[static_cast<std::size_t>(i)];
        menu.addAction(makeQuietIcon(Icon::kClose), tr("Remove %1").arg(chip.text), this,
                       [this, condition = chip.condition] { m_filter.remove(condition); });
    }
}

bool countsSteps(const RunFilter& filter, RunFilter::Steps steps) {
    const RunFilter::State& state = filter.state();
    return !state.range && !state.span && state.steps == steps;
}

void chooseSteps(RunFilter& filter, RunFilter::Steps steps) {
    if (filter.state().range || filter.state().span)
        filter.remove(RunFilter::Condition::kSelection);
    filter.setSteps(steps);
}

void addFilterActions(QMenu& menu, RunFilter& filter, const std::string& module, Phase phase,
                      const std::string& name) {
    // Where something is picked that says it already: of every step instead.
    const auto only = [&](std::string_view what, bool ofEvery) {
        const bool measured = filter.state().steps == RunFilter::Steps::kMeasured;
        return !ofEvery   ? FilterBar::tr("Only in %1").arg(toQString(what))
               : measured ? FilterBar::tr("Only in %1, of Every Measured Step").arg(toQString(what))
                          : FilterBar::tr("Only in %1, of Every Step").arg(toQString(what));
    };
    if (!module.empty())
        menu.addAction(only(module, filter.replacesPicked(module)), &filter,
                       [&filter, module] { filter.setModule(module); });
    if (phase != Phase::kNone)
        menu.addAction(only(phaseName(phase), filter.replacesPicked(phase)), &filter,
                       [&filter, phase] { filter.setPhase(phase); });
    if (!name.empty())
        menu.addAction(FilterBar::tr("Only %1").arg(toQString(name)), &filter,
                       [&filter, name] { filter.setName(name); });
}

}  // namespace warpglass::ui
