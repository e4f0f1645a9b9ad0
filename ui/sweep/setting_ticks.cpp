#include "ui/sweep/setting_ticks.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString listToolTip() {
    return SettingTicks::tr("One value, or several with commas between them: 128, 256, 512");
}

}  // namespace

SettingTicks::SettingTicks(const Setting& setting, const RunConfig& base, QWidget* parent)
    : QWidget(parent), m_setting(setting) {
    setObjectName(QStringLiteral("ticks-") + toQString(std::string(setting.key)));
    auto* layout = spaced(new QHBoxLayout(this), {}, Metrics::kSpace3);
    if (std::holds_alternative<OneOf>(setting.kind)) {
        const auto& kind = std::get<OneOf>(setting.kind);
        for (std::size_t i = 0; i < setting.choices().size(); ++i) {
            RunConfig config = base;
            kind.choose(config, i);
            auto* tick = new QCheckBox(toQString(setting.words(config)), this);
            m_ticks.emplace_back(setting.text(config), tick);
            layout->addWidget(tick);
            connect(tick, &QCheckBox::toggled, this, &SettingTicks::changed);
        }
        layout->addStretch(1);
    } else {
        m_list = new QLineEdit(this);
        m_list->setFixedHeight(Metrics::kControlHeight);
        m_list->setToolTip(listToolTip());
        m_list->setAccessibleName(toQString(std::string(setting.noun)));
        layout->addWidget(m_list, 1);
        if (!setting.panel.unit.empty()) {
            auto* unit = new QLabel(toQString(setting.panel.unit), this);
            unit->setProperty("secondary", true);
            layout->addWidget(unit);
        }
        connect(m_list, &QLineEdit::textChanged, this, &SettingTicks::changed);
    }
    setFocusProxy(m_list ? static_cast<QWidget*>(m_list) : m_ticks.front().second);
    setValues({setting.text(base)});
}

void SettingTicks::setWhyNot(const QString& reason) {
    m_applies = reason.isEmpty();
    setToolTip(reason);
    for (QWidget* part : findChildren<QWidget*>()) {
        part->setEnabled(m_applies);
        // A disabled widget passes the question for a tool tip on, unless it has one itself.
        part->setToolTip(part == m_list && m_applies ? listToolTip() : QString());
    }
}

std::vector<std::string> SettingTicks::values() const {
    std::vector<std::string> values;
    for (const auto& [word, tick] : m_ticks) {
        if (tick->isChecked())
            values.push_back(word);
    }
    if (m_list) {
        for (const QString& part : m_list->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
            if (!part.trimmed().isEmpty())
                values.push_back(part.trimmed().toStdString());
        }
    }
    return values;
}

void SettingTicks::setValues(const std::vector<std::string>& values) {
    for (const auto& [word, tick] : m_ticks)
        tick->setChecked(std::find(values.begin(), values.end(), word) != values.end());
    if (!m_list)
        return;
    QStringList words;
    for (const std::string& value : values)
        words << toQString(value);
    m_list->setText(words.join(QStringLiteral(", ")));
}

}  // namespace warpglass::ui
