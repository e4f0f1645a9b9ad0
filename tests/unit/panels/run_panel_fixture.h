// The run panel with a CPU, and how a test types into it and reads it.
#pragma once

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTest>

#include "ui/controls/number_field.h"
#include "ui/panels/run_panel.h"

namespace warpglass::ui {

inline RunConfig configOf(const char* model) {
    return {.model = model, .shape = presetShape(model).value()};
}

inline constexpr std::int64_t kGiB = std::int64_t{1} << 30;

/// The window gives it a little more.
inline constexpr int kLeastWidth = 272;

/// Where every control that can be seen is, in the panel.
inline QHash<QString, QRect> placesIn(const QWidget& panel) {
    QHash<QString, QRect> places;
    for (const QWidget* widget : panel.findChildren<QWidget*>()) {
        if (widget->isVisible() && !widget->objectName().isEmpty() &&
            !widget->objectName().startsWith(QLatin1String("estimate")))
            places.insert(widget->objectName(), QRect(widget->mapTo(&panel, QPoint()), widget->size()));
    }
    return places;
}

inline void settle() {
    for (int i = 0; i < 5; ++i)
        QCoreApplication::processEvents();
}

struct RunPanelTest : testing::Test {
    RunPanelTest() {
        qRegisterMetaType<ValidConfig>("warpglass::ValidConfig");
        panel.setDevices({{"cpu", "Test CPU", Bytes(64 * kGiB), Bytes(60 * kGiB), 2}});
    }
    template <class T>
    T& child(const char* name) {
        T* found = panel.findChild<T*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return *found;
    }
    QString text(const char* name) { return child<QLabel>(name).text(); }
    /// What is said where the estimate stands, if the field is marked with a sentence of it.
    QString problem(const char* field) {
        auto& control = child<QWidget>(field);
        const QLabel& said = child<QLabel>("estimateProblem");
        const QString sentence = control.accessibleDescription();
        EXPECT_EQ(control.property("problem").toBool(), !sentence.isEmpty()) << field;
        EXPECT_TRUE(sentence.isEmpty() || control.toolTip().startsWith(sentence)) << field;
        return !said.isHidden() && said.text().contains(sentence) ? sentence : QString();
    }
    void type(const char* field, const char* number) {
        auto& edit = child<NumberField>(field);
        edit.selectAll();
        QTest::keyClicks(&edit, QString::fromLatin1(number));
    }
    bool canClickRun() { return child<QPushButton>("runButton").isEnabled(); }

    RunPanel panel;
};

}  // namespace warpglass::ui
