// The window with a sweep: files made for it, a sweep that goes on by hand, questions that are answered.
#pragma once

#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTimer>

#include "app/window/open_sweeps.h"
#include "engine/sweep/run_folder.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/files.h"
#include "tests/support/made_sweep.h"
#include "ui/charts/data_chart.h"
#include "ui/sweep/sweep_page.h"

namespace warpglass::app {

/// A sweep that goes on when the test says so.
class HandRun : public SweepRun {
public:
    explicit HandRun(Sweep sweep) : m_sweep(std::make_shared<const Sweep>(std::move(sweep))) {}
    void pause() override { m_paused = true; }
    void resume() override { m_paused = false; }
    bool paused() const override { return m_paused; }
    void stop() override { m_finished = true; }
    bool finished() const override { return m_finished; }
    void wait() override {}
    std::uint64_t epoch() const override { return m_epoch; }
    std::shared_ptr<const Sweep> sweep() const override { return m_sweep; }
    std::optional<Nanoseconds> timeLeft() const override { return Nanoseconds(90'000'000'000); }
    std::string error() const override { return m_error; }
    void breakOff(std::string why) {
        m_error = std::move(why);
        m_finished = true;
    }

    void show(Sweep sweep) {
        m_sweep = std::make_shared<const Sweep>(std::move(sweep));
        ++m_epoch;
    }

private:
    std::shared_ptr<const Sweep> m_sweep;
    std::uint64_t m_epoch = 1;
    std::string m_error;
    bool m_paused = false, m_finished = false;
};

struct SweepWindow : WindowTest {
    SweepWindow() { EXPECT_TRUE(m_folder.isValid()); }

    /// With a run beside it for every cell that is said to have one.
    QString write(Sweep sweep, const char* name = "made.wgsweep") {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        const Status written = test::writeSweep(sweep, path.toStdString());
        EXPECT_TRUE(written) << (written ? "" : written.message());
        for (const SweepCell& cell : sweep.cells) {
            if (cell.runFile.empty())
                continue;
            const QString run = QStringLiteral(WARPGLASS_SAMPLE_RUNS "/small-%1-naive.wgrun")
                                    .arg(cell.index == 0 ? QStringLiteral("fp32") : QStringLiteral("bf16"));
            EXPECT_TRUE(QFile::copy(run, m_folder.filePath(QString::fromStdString(cell.runFile.string()))));
        }
        return path;
    }
    ui::SweepPage* open(const Sweep& sweep) { return openFile(write(sweep)); }
    ui::SweepPage* openFile(const QString& path) {
        m_controller.openFiles({path});
        EXPECT_TRUE(waitFor([&] { return !sweeps().isReading() && page(); }));
        QCoreApplication::processEvents();
        return page();
    }
    OpenSweeps& sweeps() { return m_window->pages().sweeps(); }
    ui::SweepPage* page() { return m_window->pages().sweepInFront(); }
    /// With runs of the first two cells beside the file.
    Sweep withRuns() {
        Sweep sweep = test::madeSweep();
        sweep.plan.runFolder = ".";
        for (std::int64_t i = 0; i < 2; ++i)
            sweep.cells[static_cast<std::size_t>(i)].runFile = keptRunOf(sweep.plan, i);
        return sweep;
    }
    /// The test says how it goes on.
    HandRun& followByHand(ui::SweepPage& page) {
        auto run = std::make_unique<HandRun>(*page.sweep());
        HandRun& hand = *run;
        page.follow(std::move(run));
        return hand;
    }
    /// Leaves a sample's run as the cell's.
    std::filesystem::path script() {
        const std::filesystem::path path = m_folder.filePath("program.sh").toStdString();
        test::writeContent(
            path,
            "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n  case \"$1\" in --output) output=\"$2\";; esac\n  shift\n"
            "done\ncp '" WARPGLASS_SAMPLE_RUNS "/small-fp32-naive.wgrun' \"$output\"\n");
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }
    /// Does this to the next modal dialog for which it says true; a dialog runs an event loop of its own.
    void whenAsked(std::function<bool(QWidget&)> act) {
        auto* timer = new QTimer(m_window.get());
        QObject::connect(timer, &QTimer::timeout, timer, [timer, act = std::move(act)] {
            QWidget* dialog = QApplication::activeModalWidget();
            if (!dialog || !timer->isActive())
                return;
            timer->stop();
            if (act(*dialog))
                timer->deleteLater();
            else
                timer->start();
        });
        timer->start(20);
    }
    void pressWhenAsked(const QString& words) {
        whenAsked([this, words](QWidget& dialog) {
            auto* box = qobject_cast<QMessageBox*>(&dialog);
            if (!box)
                return false;
            m_said = box->text();
            m_offered.clear();
            QAbstractButton* pressed = nullptr;
            for (QAbstractButton* choice : box->buttons()) {
                m_offered << QString(choice->text()).remove(QLatin1Char('&'));
                if (m_offered.last() == words)
                    pressed = choice;
            }
            EXPECT_NE(pressed, nullptr) << words.toStdString();
            click(pressed ? pressed : box->escapeButton());
            return true;
        });
    }
    void nameWhenAsked(const QString& path) {
        whenAsked([path](QWidget& dialog) {
            auto* files = qobject_cast<QFileDialog*>(&dialog);
            if (!files)
                return false;
            auto* name = files->findChild<QLineEdit*>();
            name->setText(path);
            QTest::keyClick(name, Qt::Key_Return);
            return true;
        });
    }
    void choose(const char* name, const QString& text) {
        auto* box = page()->findChild<QComboBox*>(QString::fromLatin1(name));
        ASSERT_NE(box, nullptr) << name;
        const int index = box->findText(text);
        ASSERT_GE(index, 0) << text.toStdString();
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < index; ++i)
            QTest::keyClick(box, Qt::Key_Down);
        ASSERT_EQ(box->currentText(), text);
    }
    void clickMark(int mark, Qt::KeyboardModifiers modifiers = {}) {
        ui::DataPlot& plot = page()->chart().plot();
        QTest::mouseClick(&plot, Qt::LeftButton, modifiers, plot.markRect(mark).center().toPoint());
    }

    QTemporaryDir m_folder;
    QString m_said;  // by the last question
    QStringList m_offered;
};

}  // namespace warpglass::app
