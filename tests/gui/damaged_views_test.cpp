// Runs that are damaged in many ways, in every view: whatever is left is drawn at a usual and at a small
// size, survives a person's hand, and what is missing is said in words.
#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "app/window/banner.h"
#include "engine/session/save_run.h"
#include "tests/gui/golden_runs.h"
#include "tests/gui/painted_structure.h"
#include "tests/support/gestures.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/show_unseen.h"
#include "tests/support/temporary_folder.h"
#include "ui/compare/comparison_view.h"

namespace warpglass::app::damaged_views_test {

namespace fs = std::filesystem;
using test::RunDamage;

/// WARPGLASS_DAMAGE_ROUNDS: how many times as many damages by chance; many by hand.
int rounds() {
    const char* asked = std::getenv("WARPGLASS_DAMAGE_ROUNDS");
    return asked ? std::max(1, std::atoi(asked)) : 1;
}

/// How many letters names have that are too long.
int letters() {
    return rounds() > 1 ? 100'000 : 5'000;
}

/// What a hand does to a view: a look, a click, a turn of the wheel, a few keys.
void handle(QWidget& view) {
    QWidget* target = view.childAt(view.rect().center());
    target = target ? target : &view;
    const QPoint at = target->mapFrom(&view, view.rect().center());
    QTest::mouseMove(target, at);
    test::toolTipAt(*target, at);
    QTest::mouseClick(target, Qt::LeftButton, Qt::NoModifier, at);
    test::turnWheel(*target, at, {0, 120});
    for (const Qt::Key key :
         {Qt::Key_Down, Qt::Key_Right, Qt::Key_Return, Qt::Key_Left, Qt::Key_W, Qt::Key_Escape})
        QTest::keyClick(target, key);
    QCoreApplication::processEvents();
}

/// The labels that a view paints.
QString textOf(QWidget& view, QSize size = {1200, 800}) {
    const auto painted = test::paintedBy(size, [&](QPainter& painter) { paintAt(view, size, painter); });
    return test::textOf(painted).join(QLatin1Char(' '));
}

/// What asks for more room than that, to be told of.
std::string widerThan(int width, const QWidget& window) {
    QStringList wide;
    for (const auto* widget : window.findChildren<QWidget*>()) {
        if (widget->minimumSizeHint().width() > width && widget->minimumWidth() == 0)
            wide << QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') +
                        widget->objectName();
    }
    return wide.join(", ").toStdString();
}

struct DamagedViews : ::testing::Test {
    DamagedViews() {
        useTheme(ui::ThemeKind::kDark);
        // Segments and allocations without a GPU, and all that a GPU's run has.
        const fs::path made = m_folder / "whole.wgrun";
        EXPECT_TRUE(saveRun(*makeRunWithSegments().snapshot, made));
        m_whole = {test::contentOf(made), test::contentOf(WARPGLASS_SAMPLE_RUNS "/small-bf16-naive.wgrun")};
    }

    QString banner() {
        for (auto* one : m_shown.window().findChildren<Banner*>()) {
            if (!one->isHidden() && one->findChild<QLabel*>())
                return one->findChild<QLabel*>()->text() + one->findChild<QLabel*>()->toolTip();
        }
        return {};
    }

    /// With a `turn`, the damage's number, every third view gets its hand and its small size, which take as
    /// long as all else: by turns each view gets them.
    void expectEveryView(const OpenedRun& run, std::optional<std::size_t> turn = {}) {
        m_shown.show("damaged.wgrun", run);
        m_shown.controller().axis().fitAll();  // not the measured steps alone
        for (const QString& name : Workspace::viewNames()) {
            SCOPED_TRACE(name.toStdString());
            // At the peak, not where the hand in the view before has left the cursors.
            m_shown.controller().axis().setPinnedCursor(std::nullopt);
            m_shown.controller().axis().setCursor(std::nullopt);
            QWidget* view = m_shown.bring(name);
            const bool handled = !turn || (*turn)++ % 3 == 0;
            EXPECT_FALSE(textOf(*view, {1000, 700}).isEmpty()) << "it says at least that there is nothing";
            ASSERT_EQ(m_shown.window().size(), QSize(1280, 800)) << widerThan(1280, m_shown.window());
            if (!handled)
                continue;
            EXPECT_FALSE(imageAt(*view, {240, 150}, 1).isNull());
            handle(*view);
        }
    }

    /// In words, wherever the reader has found something.
    void expectItIsSaid(const OpenedRun& run, bool loses) {
        ui::RunDocument& document = m_shown.controller().document();
        // Asked for again and again: what a worker still reads may tell of more.
        std::vector<std::string> found = run.snapshot->damage().sentences();
        if (loses) {
            EXPECT_FALSE(run.warnings.empty() && found.empty()) << "the loss was not seen by any view";
        }
        if (found.empty() && run.warnings.empty())
            return;
        // Looked for now and then: what the last view has found is told a little later.
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                found = run.snapshot->damage().sentences();
                return std::all_of(found.begin(), found.end(), [&](const std::string& sentence) {
                    return document.warnings().contains(QString::fromStdString(sentence));
                });
            },
            90'000));
        EXPECT_TRUE(document.isIncomplete());
        const QString text = banner();
        for (const std::vector<std::string>& sentences : {run.warnings, found}) {
            for (const std::string& sentence : sentences) {
                const QString wanted = QString::fromStdString(sentence);
                EXPECT_TRUE(text.contains(wanted) || text.contains(wanted.toHtmlEscaped())) << sentence;
            }
        }
        const QString summary = textOf(*m_shown.bring("summary"));
        EXPECT_TRUE(summary.contains("missing")) << summary.toStdString();
    }

    /// What can still be read of the recorded run, or of the made one.
    Result<OpenedRun> damaged(const RunDamage& damage, std::size_t whole = 1) {
        // A new name each time: what is shown may still read the last.
        fs::remove(m_damaged);
        m_damaged = m_folder / (std::to_string(m_files++) + ".wgrun");
        test::writeContent(m_damaged, m_whole[whole]);
        damage.apply(m_damaged);
        return openRun(m_damaged);
    }
    OpenedRun altered(const char* sql) {
        return test::must(damaged({.apply = [&](const fs::path& path) { test::alterRun(path, sql); }}));
    }
    OpenedRun half() {
        return test::must(damaged({.apply = [&](const fs::path& path) {
            test::writeContent(path, m_whole[1].substr(0, m_whole[1].size() / 2));
        }}));
    }

    void expectAll(const std::vector<RunDamage>& damages) {
        int opened = 0;
        for (std::size_t i = 0; i < damages.size(); ++i) {
            // In the default set each damage is done to one of the two, by turns.
            for (std::size_t whole = 0; whole < m_whole.size(); ++whole) {
                if (rounds() == 1 && whole != i % m_whole.size())
                    continue;
                SCOPED_TRACE(damages[i].name + (whole == 0 ? " of the made run" : " of the recorded run"));
                const auto run = damaged(damages[i], whole);
                if (!run)
                    continue;
                ++opened;
                expectEveryView(*run, rounds() > 1 ? std::nullopt : std::optional(i));
                expectItIsSaid(*run, damages[i].loses);
            }
        }
        EXPECT_GT(opened, 0);
    }

    test::TemporaryFolder m_folder;
    std::vector<std::string> m_whole;
    fs::path m_damaged;
    int m_files = 0;
    UnseenRun m_shown;
};

TEST_F(DamagedViews, CutOff) {
    expectAll(test::cuts());
}

TEST_F(DamagedViews, BytesChanged) {
    expectAll(test::flips(rounds()));
}

TEST_F(DamagedViews, ChunksLost) {
    expectAll(test::lostChunks(rounds() > 1));
}

TEST_F(DamagedViews, TablesLost) {
    expectAll(test::lostTables());
}

TEST_F(DamagedViews, NumbersScrambled) {
    expectAll(test::scrambledChunks(rounds()));
}

TEST_F(DamagedViews, HostileValues) {
    expectAll(test::hostileValues(letters()));
}

TEST_F(DamagedViews, TheUtmostThatIsSound) {
    const fs::path path = m_folder / "extreme.wgrun";
    ASSERT_TRUE(saveRun(*test::makeExtremeRun(), path));
    const auto run = test::must(openRun(path));
    expectEveryView(run);
}

TEST_F(DamagedViews, MarkupInNamesIsText) {
    m_shown.show("markup.wgrun", altered("UPDATE strings SET text='<b>' || text || '</b>'"));
    for (const char* name : {"ops", "timeline", "treemap", "allocations"}) {
        QWidget* view = m_shown.bring(QString::fromLatin1(name));
        EXPECT_TRUE(textOf(*view, {1400, 800}).contains("<b>")) << name;
    }
}

TEST_F(DamagedViews, ComparedOnEitherSide) {
    std::vector<RunDamage> damages = test::cuts();
    for (const auto& more :
         {test::lostChunks(), test::scrambledChunks(rounds()), test::hostileValues(letters())})
        damages.insert(damages.end(), more.begin(), more.end());
    if (rounds() == 1) {
        std::vector<RunDamage> some;
        for (std::size_t i = 0; i < damages.size(); i += 20)
            some.push_back(damages[i]);
        damages = some;
    }
    const OpenedRun other = openSample("small-fp32-naive");
    for (std::size_t i = 0; i < damages.size(); ++i) {
        SCOPED_TRACE(damages[i].name);
        const auto run = damaged(damages[i]);
        if (!run)
            continue;
        for (const bool first : {true, false}) {
            ui::ComparisonView view;
            test::showUnseen(view, {1200, 800});
            const ui::ComparisonView::Side damaged{"damaged", run->snapshot, nullptr};
            const ui::ComparisonView::Side whole{"whole", other.snapshot, nullptr};
            view.setRuns(first ? damaged : whole, first ? whole : damaged);
            settle(view);
            EXPECT_TRUE(textOf(view).contains("damaged"));
            imageAt(view, {480, 300}, 1);
            handle(view);
            view.swap();
            settle(view);
        }
    }
}

TEST_F(DamagedViews, ManySentencesTakeTwoLinesAndTheRestIsAKeyAway) {
    const auto run = half();
    ASSERT_GT(run.warnings.size(), 5u);
    m_shown.show("half.wgrun", run);
    settle(m_shown.window());
    auto* shown = m_shown.window().findChild<Banner*>("banner");
    EXPECT_LE(shown->height(), 60);
    auto* details = shown->findChild<QPushButton*>("bannerDetails");
    ASSERT_FALSE(details->isHidden());
    EXPECT_NE(details->focusPolicy() & Qt::TabFocus, 0);
    QTest::keyClick(details, Qt::Key_Space);
    auto* dialog = test::must(shown->findChild<QDialog*>("bannerDialog"));
    const QString all = dialog->findChild<QPlainTextEdit*>()->toPlainText();
    for (const std::string& sentence : run.warnings)
        EXPECT_TRUE(all.contains(QString::fromStdString(sentence))) << sentence;
    QTest::keyClick(dialog, Qt::Key_Escape);
    EXPECT_TRUE(dialog->isHidden());
}

TEST_F(DamagedViews, TheSummarySaysWhatItsFindingsAreDrawnWithout) {
    m_shown.show("half.wgrun", half());
    const QString summary = textOf(*m_shown.bring("summary"));
    EXPECT_TRUE(summary.contains("all 5,396 kernels")) << summary.toStdString();
    EXPECT_TRUE(summary.contains("in what is there")) << summary.toStdString();
    EXPECT_TRUE(summary.contains("By the host's clock")) << summary.toStdString();
    EXPECT_TRUE(textOf(*m_shown.bring("phase-dots")).contains("By the host's clock"));
    EXPECT_TRUE(textOf(*m_shown.bring("ops")).contains("The records of kernels are not in the file"));
}

TEST_F(DamagedViews, TheComparisonSaysWhatEitherLacks) {
    const auto run = altered("UPDATE chunks SET data=zeroblob(1000) WHERE kind=1");
    m_shown.show("whole.wgrun", openSample("small-fp32-naive"));
    m_shown.controller().showSnapshot("lost.wgrun", run);
    m_shown.window().pages().compare(0, 1);
    settle(m_shown.window());
    EXPECT_TRUE(QTest::qWaitFor([&] { return banner().contains("B: Damaged"); }, 90'000))
        << banner().toStdString();
    m_shown.window().pages().compare(1, 0);
    EXPECT_TRUE(QTest::qWaitFor([&] { return banner().contains("A: Damaged"); }, 90'000));
    // Alone it is said as ever, and of the other nothing.
    m_shown.controller().showRun(0);
    EXPECT_EQ(banner(), QString());
}

}  // namespace warpglass::app::damaged_views_test
