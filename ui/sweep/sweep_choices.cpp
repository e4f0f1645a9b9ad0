#include "ui/sweep/sweep_choices.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/sweep/measures.h"
#include "engine/sweep/sweep_slice.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString axisTitle(const std::string& key) {
    const Setting* setting = findSetting(key);
    if (!setting)
        return toQString(key);
    return toQString(std::string(setting->panel.head.empty() ? setting->panel.label : setting->panel.head));
}

QLabel* smallLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    setSecondary(label);
    return label;
}

void choose(ComboBox& box, const std::string& key) {
    box.setCurrentIndex(std::max(0, box.findData(toQString(key))));
}

using Items = std::vector<std::pair<QString, std::string>>;

/// Nothing happens where it offers these already: a list that is open stays as it is.
void offer(ComboBox& box, const Items& items) {
    bool same = box.count() == static_cast<int>(items.size());
    for (int i = 0; same && i < box.count(); ++i) {
        const auto& [text, key] = items[static_cast<std::size_t>(i)];
        same = box.itemText(i) == text && box.itemData(i).toString() == toQString(key);
    }
    if (same)
        return;
    const QSignalBlocker quiet(&box);
    box.clear();
    for (const auto& [text, key] : items)
        box.addItem(text, toQString(key));
}

}  // namespace

SweepChoices::SweepChoices(QWidget* parent) : QWidget(parent), m_fixedRow(new QHBoxLayout) {
    auto* first = new QHBoxLayout;
    auto* second = new QHBoxLayout;
    for (QHBoxLayout* row : {first, second, m_fixedRow})
        row->setSpacing(Metrics::kSpace2);
    m_measure = addChoice(*first, tr("Show"), "sweepMeasure");
    m_kind = new SegmentedControl({tr("Lines"), tr("Bars"), tr("Heat map")}, this);
    setNames(m_kind, "sweepKind", tr("Kind of chart"));
    first->addWidget(m_kind);
    m_toggles = new SegmentedControl({tr("Log x"), tr("Log y"), tr("Predicted"), tr("Fit")}, this);
    setNames(m_toggles, "sweepToggles", tr("Scales and curves of the chart"));
    m_toggles->setSeveral();
    first->addWidget(m_toggles);
    first->addStretch(1);
    m_x = addChoice(*second, tr("by"), "sweepX");
    m_series = addChoice(*second, tr("and"), "sweepSeries");
    m_baseline = addChoice(*second, tr("against"), "sweepBaseline");
    second->addLayout(m_fixedRow);
    second->addStretch(1);
    auto* layout = spaced(new QVBoxLayout(this), {Metrics::kSpace3, Metrics::kSpace2, Metrics::kSpace3, 0},
                          Metrics::kSpace1);
    layout->addLayout(first);
    layout->addLayout(second);

    const auto key = [](ComboBox* box) { return box->currentData().toString().toStdString(); };
    connect(m_measure, &QComboBox::activated, this,
            [=, this] { change([&] { m_view.measure = key(m_measure); }); });
    connect(m_x, &QComboBox::activated, this, [=, this] {
        change([&] {
            if (key(m_x) == m_view.series)
                std::swap(m_view.x, m_view.series);
            m_view.x = key(m_x);
            m_view.baseline.clear();
        });
    });
    connect(m_series, &QComboBox::activated, this, [=, this] {
        change([&] {
            m_view.series = key(m_series);
            m_view.baseline.clear();
        });
    });
    connect(m_baseline, &QComboBox::activated, this,
            [=, this] { change([&] { m_view.baseline = key(m_baseline); }); });
    connect(m_kind, &SegmentedControl::chosen, this,
            [this](int kind) { change([&] { m_view.kind = static_cast<ChartKind>(kind); }); });
    connect(m_toggles, &SegmentedControl::chosen, this, [this] {
        change([&] {
            m_view.logX = m_toggles->isOn(kLogX);
            m_view.logY = m_toggles->isOn(kLogY);
            m_view.predicted = m_toggles->isOn(kPredicted);
            m_view.fit = m_toggles->isOn(kFit);
        });
    });
}

ComboBox* SweepChoices::addChoice(QHBoxLayout& row, const QString& label, const char* name) {
    auto* words = smallLabel(label, this);
    auto* box = new ComboBox(this);
    box->setObjectName(QString::fromLatin1(name));
    box->setAccessibleName(label);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    words->setBuddy(box);
    addAll(&row, {words, box});
    return box;
}

void SweepChoices::change(const std::function<void()>& change) {
    if (m_isShowing)
        return;
    change();
    showView();
    emit viewChanged();
}

void SweepChoices::setSweep(const Sweep& sweep) {
    m_axes = sweep.plan.axes;
    offerMeasures(sweep);
    // The choice under the pointer in an open list stays as well.
    if (!hasOpenList())
        showView();
}

bool SweepChoices::hasOpenList() const {
    const QList<ComboBox*> boxes = findChildren<ComboBox*>();
    return std::ranges::any_of(boxes, [](const ComboBox* box) { return box->view()->isVisible(); });
}

void SweepChoices::setView(const SweepView& view) {
    m_view = view;
    showView();
}

void SweepChoices::offerMeasures(const Sweep& sweep) {
    std::vector<std::string> keys;
    for (const Measure& measure : measures()) {
        const bool any = std::ranges::any_of(sweep.cells, [&](const SweepCell& cell) {
            return cell.state == CellState::kOk && cell.figure(measure.key);
        });
        if (any || measure.key == m_view.measure)
            keys.push_back(measure.key);
    }
    if (m_measure->view()->isVisible())
        return;  // they come with the next change
    Items items;
    for (const std::string& key : keys)
        items.emplace_back(toQString(measureName(*findMeasure(key))), key);
    offer(*m_measure, items);
}

void SweepChoices::offerBaselines() {
    Items items{{tr("nothing"), {}}};
    for (const SweepAxis& axis : m_axes) {
        if (axis.key != m_view.series)
            continue;
        for (const std::string& value : axis.values)
            items.emplace_back(toQString(value), value);
    }
    offer(*m_baseline, items);
    choose(*m_baseline, m_view.baseline);
}

/// A choice for each axis that is neither shown across nor told apart.
void SweepChoices::offerFixed() {
    std::vector<std::string> keys;
    for (const SweepAxis& axis : m_axes) {
        if (axis.key != m_view.x && axis.key != m_view.series)
            keys.push_back(axis.key);
    }
    // The same boxes stay, as the keyboard may be in one of them.
    if (keys == m_fixedKeys)
        return;
    m_fixedKeys = std::move(keys);
    if (m_fixed) {
        m_fixed->hide();
        m_fixed->deleteLater();
    }
    m_fixed = new QWidget(this);
    auto* row = spaced(new QHBoxLayout(m_fixed), {}, Metrics::kSpace2);
    for (const SweepAxis& axis : m_axes) {
        if (axis.key == m_view.x || axis.key == m_view.series)
            continue;
        ComboBox* box = addChoice(*row, axisTitle(axis.key), "sweepFixed");
        for (const std::string& value : axis.values)
            box->addItem(toQString(value), toQString(value));
        for (const auto& [key, value] : m_view.fixed) {
            if (key == axis.key)
                choose(*box, value);
        }
        connect(box, &QComboBox::activated, this, [this, box, axisKey = axis.key] {
            change([&] {
                std::erase_if(m_view.fixed, [&](const auto& fixed) { return fixed.first == axisKey; });
                m_view.fixed.emplace_back(axisKey, box->currentData().toString().toStdString());
            });
        });
    }
    m_fixedRow->addWidget(m_fixed);
}

void SweepChoices::showView() {
    m_isShowing = true;
    for (ComboBox* box : {m_x, m_series}) {
        Items items;
        for (const SweepAxis& axis : m_axes) {
            if (box == m_x || axis.key != m_view.x)
                items.emplace_back(axisTitle(axis.key), axis.key);
        }
        offer(*box, items);
    }
    choose(*m_measure, m_view.measure);
    choose(*m_x, m_view.x);
    choose(*m_series, m_view.series);
    const bool several = m_axes.size() > 1;
    m_series->setEnabled(several);
    m_baseline->setEnabled(several);
    offerBaselines();
    offerFixed();
    m_kind->setCurrent(static_cast<int>(m_view.kind));
    const bool on[] = {m_view.logX, m_view.logY, m_view.predicted, m_view.fit};
    for (int i = kLogX; i <= kFit; ++i)
        m_toggles->setOn(i, on[i]);
    bool numeric = false;
    for (const SweepAxis& axis : m_axes)
        numeric = numeric || (axis.key == m_view.x && numbersOf(axis).has_value());
    const Measure* measure = findMeasure(m_view.measure);
    const bool lines = m_view.kind == ChartKind::kLines, heat = m_view.kind == ChartKind::kHeatMap;
    m_toggles->button(kLogX)->setEnabled(numeric && lines);
    m_toggles->button(kPredicted)
        ->setEnabled(measure && !measure->predictedKey.empty() && !heat && m_view.baseline.empty());
    m_toggles->button(kFit)->setEnabled(numeric && lines && m_view.baseline.empty());
    m_toggles->button(kFit)->setToolTip(
        !lines     ? tr("Growth is fitted to lines only")
        : !numeric ? tr("Growth is fitted only where the horizontal axis is of numbers")
        : !m_view.baseline.empty()
            ? tr("Growth is fitted to a measure, not to what it is against another")
            : tr("A power n^k of the horizontal axis through the points of a line; ± is "
                 "half of the 95% confidence interval of k. Where no power fits, the "
                 "sentence above the chart says so"));
    m_isShowing = false;
}

}  // namespace warpglass::ui
