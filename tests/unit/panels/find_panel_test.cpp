// Find: results while typing, next and previous in the timeline, expressions that are wrong or slow.
#include "ui/panels/find_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTest>
#include <QToolButton>

#include "engine/base/format.h"
#include "tests/support/every_span.h"
#include "tests/support/gestures.h"
#include "tests/support/has_text.h"
#include "tests/support/repeated_run.h"
#include "tests/support/show_unseen.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/data_table.h"
#include "ui/controls/family_legend.h"
#include "ui/models/span_details.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/duration_histogram.h"

namespace warpglass::ui::find_panel_test {

struct FindPanelTest : testing::Test {
    FindPanelTest() : run(test::makeSyntheticRun()), panel(document, axis, filter) {
        document.setSnapshot(run);
        axis.setFullRange(run->range());
        test::showUnseen(panel, {1000, 300});
    }
    QLineEdit* field() { return panel.findChild<QLineEdit*>("findField"); }
    QToolButton* button(const char* name) { return panel.findChild<QToolButton*>(QLatin1String(name)); }
    void type(const QString& text) {
        field()->clear();
        QTest::keyClicks(field(), text);
        panel.refreshNow();
    }
    std::int64_t startOfSelected() { return describeSpan(*run, *axis.selectedSpan())->start.value; }
    std::int64_t expected(const std::function<bool(const std::string&)>& matches) {
        return std::ranges::count_if(test::everySpan(*run), [&](const test::FoundSpan& span) {
            return matches(std::string(run->name(span.row.name)));
        });
    }
    void resize(int width, int height) {
        panel.resize(width, height);
        QCoreApplication::processEvents();
    }
    /// Those of all names.
    std::int64_t allInstances() {
        std::int64_t all = 0;
        for (int row = 0; row < panel.groups().rowCount(); ++row)
            all += panel.groups().rowAt(row).count;
        return all;
    }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    RunFilter filter{document, axis};
    FindPanel panel;
};

TEST_F(FindPanelTest, ResultsFollowTheTextTheKindsAndTheExpression) {
    filter.setSteps(RunFilter::Steps::kAll);
    type("MM");
    const std::int64_t mm = expected([](const std::string& name) { return containsText(name, "mm"); });
    ASSERT_GT(mm, 0);
    EXPECT_EQ(panel.model().rowCount(), mm);
    EXPECT_TRUE(panel.summary().startsWith(QString::fromStdString(formatGrouped(mm)) +
                                           QStringLiteral(" matches · ")));
    EXPECT_EQ(panel.distribution().histogram().distribution().instances, mm);
    QTest::mouseClick(button("findKind1"), Qt::LeftButton);  // no ops
    panel.refreshNow();
    EXPECT_EQ(panel.summary(), "No match");
    QTest::mouseClick(button("findKind1"), Qt::LeftButton);
    QTest::mouseClick(button("findExpression"), Qt::LeftButton);
    type("^(forward|backward)$");
    EXPECT_EQ(panel.model().rowCount(),
              expected([](const std::string& name) { return name == "forward" || name == "backward"; }));
    EXPECT_GT(panel.model().rowCount(), 0);
    type({});
    EXPECT_EQ(panel.model().rowCount(), 0);
    EXPECT_TRUE(panel.summary().isEmpty());
}

TEST_F(FindPanelTest, AnExpressionThatIsNotValidIsSaidToBeSoAndATextIsNoExpression) {
    type("(mm");
    EXPECT_EQ(panel.summary(), "No match");
    QTest::mouseClick(button("findExpression"), Qt::LeftButton);
    panel.refreshNow();
    EXPECT_THAT(panel.summary(), test::BeginsWith("Not a regular expression: "));
    EXPECT_EQ(panel.model().rowCount(), 0);
    const auto* table = panel.findChild<DataTable*>("findRows");
    EXPECT_FALSE(table->emptyText().contains("regular expression")) << "said once";
    type("^nothing like it$");
    EXPECT_EQ(table->emptyText(), "No name matches “^nothing like it$”");
    QTest::mouseClick(button("findExpression"), Qt::LeftButton);
    type("^(mm|add)");
    EXPECT_EQ(panel.summary(), "No match");
    EXPECT_TRUE(table->emptyText().contains("switch on .*"));
    type("nothing like it");
    EXPECT_EQ(table->emptyText(), "No name contains “nothing like it”");
    QTest::mouseClick(button("findExpression"), Qt::LeftButton);
    type("(mm)");
    EXPECT_GT(panel.model().rowCount(), 0);
}

TEST_F(FindPanelTest, AnExpressionThatTakesForEverEnds) {
    std::string text;
    for (int i = 0; i < 200; ++i)
        text += test::filled("op %%! %-%\n", std::string(60, 'a'), i, i * 10, i * 10 + 5);
    document.setSnapshot(test::traceOf(text));
    QTest::mouseClick(button("findExpression"), Qt::LeftButton);
    type("^(a+)+$");
    EXPECT_EQ(panel.model().rowCount(), 0);
    EXPECT_FALSE(panel.summary().isEmpty());
    type("^a+7!");
    EXPECT_EQ(panel.model().rowCount(), 1);
}

TEST_F(FindPanelTest, EachNameHasARowWithItsSumsAndTheOneThatIsChosenItsInstances) {
    panel.resize(1000, 640);
    type("aten::");
    const auto& groups = panel.groups();
    ASSERT_GT(groups.rowCount(), 2);
    const std::int64_t all = allInstances();
    EXPECT_EQ(panel.model().rowCount(), all);
    const SearchGroup chosen = groups.rowAt(1);
    panel.groupTable().selectRow(1);
    panel.refreshNow();
    ASSERT_EQ(panel.model().rowCount(), chosen.count);
    Nanoseconds total;
    for (int row = 0; row < panel.model().rowCount(); ++row) {
        EXPECT_EQ(panel.model().rowAt(row).name, chosen.of.name);
        EXPECT_EQ(panel.model().rowAt(row).kind, chosen.of.kind);
        total += Nanoseconds(panel.model().rowAt(row).duration);
    }
    EXPECT_EQ(total, chosen.total);
    EXPECT_EQ(panel.distribution().histogram().distribution().instances, chosen.count);
    EXPECT_TRUE(panel.table().isColumnHidden(panel.model().column("name")))
        << "said by the row that is chosen";
    QTest::keyClick(&panel.groupTable(), Qt::Key_Escape);
    panel.refreshNow();
    EXPECT_EQ(panel.model().rowCount(), all);
    EXPECT_FALSE(panel.table().isColumnHidden(panel.model().column("name")));
    panel.groupTable().selectRow(1);
    type("optimizer");
    EXPECT_GT(panel.model().rowCount(), 0) << "another search forgets the name that was chosen";
}

/// A name's id means another name in another run.
TEST_F(FindPanelTest, AnotherRunForgetsTheNameThatWasChosen) {
    panel.resize(1000, 640);
    type("aten::");
    ASSERT_GT(panel.groups().rowCount(), 2);
    panel.groupTable().selectRow(1);
    panel.refreshNow();
    const int ofOne = panel.model().rowCount();
    document.clear();
    document.setSnapshot(test::makeSyntheticRun());
    panel.refreshNow();
    EXPECT_GT(allInstances(), ofOne);
    EXPECT_EQ(panel.model().rowCount(), allInstances())
        << "the run has the same names, and none of them is chosen";
    EXPECT_FALSE(panel.table().isColumnHidden(panel.model().column("name")));
}

/// A long run's first page comes before its names.
TEST_F(FindPanelTest, InALongRunTheChosenNameAndTheNamesStayWhileTheRestIsFound) {
    const auto many = test::repeatRun(*run, 3 * DeferredQuery::kHeavySpans / 2);
    ASSERT_GT(many->spanCount(), DeferredQuery::kHeavySpans);
    document.clear();
    document.setSnapshot(many);
    axis.setFullRange(many->range());
    filter.setSteps(RunFilter::Steps::kAll);
    type("aten::");
    ASSERT_GT(panel.groups().rowCount(), 2);
    constexpr int kPage = 200;
    const SearchResult page =
        firstMatches(*many,
                     searchOf(*many, {true, true, true, true},
                              [](std::string_view name) { return name.starts_with("aten::"); }),
                     kPage, 500'000);
    ASSERT_FALSE(page.matches.empty());
    int row = 0;
    while (panel.groups().rowAt(row).of != SearchName{page.matches[0].kind, page.matches[0].name})
        ASSERT_LT(++row, panel.groups().rowCount());
    const SearchGroup chosen = panel.groups().rowAt(row);
    ASSERT_GT(chosen.count, kPage);
    panel.groupTable().selectRow(row);
    panel.refreshNow();
    const int instances = panel.model().rowCount();
    ASSERT_GT(instances, kPage);

    bool emptied = false;
    int fewest = instances;
    const auto seeNames = [&] { emptied = emptied || panel.groups().rowCount() == 0; };
    const auto seePage = [&] {
        fewest = std::min(fewest, panel.model().rowCount());
        emptied = emptied || panel.groupTable().isHidden();
    };
    QObject::connect(&panel.groups(), &QAbstractItemModel::modelReset, &panel, seeNames);
    QObject::connect(&panel.model(), &QAbstractItemModel::modelReset, &panel, seePage);
    QObject::connect(&panel.model(), &QAbstractItemModel::rowsRemoved, &panel, seePage);
    QTest::keyClick(field(), Qt::Key_Backspace);  // "aten:" finds the same
    ASSERT_TRUE(QTest::qWaitFor([&] { return fewest <= kPage; }, 60'000)) << "no page came";
    panel.refreshNow();
    EXPECT_FALSE(emptied);
    EXPECT_EQ(panel.model().rowCount(), instances);
    EXPECT_EQ(panel.model().rowAt(0).name, chosen.of.name);
    EXPECT_EQ(panel.distribution().histogram().distribution().instances, chosen.count);
}

TEST_F(FindPanelTest, TheLineThatWasDraggedStaysWhereItIs) {
    panel.resize(1000, 640);
    type("aten::");
    QCoreApplication::processEvents();
    auto* body = panel.findChild<QSplitter*>("findBody");
    const int before = body->sizes().front();
    test::dragDivider(*body, 1, 40);
    const int dragged = body->sizes().front();
    ASSERT_NE(dragged, before);
    type("mm");
    QCoreApplication::processEvents();
    EXPECT_EQ(body->sizes().front(), dragged);
    panel.resize(1000, 300);
    panel.resize(1000, 640);
    type("aten::");
    EXPECT_EQ(body->sizes().front(), before) << "another arrangement has sizes of its own";
}

TEST_F(FindPanelTest, InAHighPanelTheNamesStandOverTheirInstances) {
    type("aten::");
    const auto under = [&](int height) {
        resize(1000, height);
        return panel.table().mapTo(&panel, QPoint()).y() > panel.groupTable().mapTo(&panel, QPoint()).y();
    };
    EXPECT_FALSE(under(260));
    EXPECT_TRUE(under(640));
    EXPECT_FALSE(under(260));
}

TEST_F(FindPanelTest, NextAndPreviousGoThroughAllMatchesInTheTimeline) {
    type("aten::mm");
    ASSERT_GT(panel.model().rowCount(), 3);
    std::vector<std::int64_t> starts;
    for (int i = 0; i < panel.model().rowCount(); ++i)
        starts.push_back(panel.model().rowAt(i).start);
    EXPECT_TRUE(std::is_sorted(starts.begin(), starts.end()));
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(field(), Qt::Key_Return);
        ASSERT_TRUE(axis.selectedSpan());
        const auto span = describeSpan(*run, *axis.selectedSpan());
        EXPECT_EQ(span->start.value, starts[static_cast<std::size_t>(i)]);
        EXPECT_TRUE(axis.visibleRange().contains(span->start));
        // Wide enough to be seen.
        EXPECT_GT(span->duration.value * 150, axis.visibleRange().duration().value);
    }
    QTest::keyClick(field(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(startOfSelected(), starts[1]);
    QTest::mouseClick(button("findPrevious"), Qt::LeftButton);
    QTest::mouseClick(button("findPrevious"), Qt::LeftButton);
    EXPECT_EQ(startOfSelected(), starts.back()) << "round the beginning";
    EXPECT_EQ(panel.table().currentIndex().row(), panel.model().rowCount() - 1);
    QTest::keyClick(field(), Qt::Key_Down);
    QTest::keyClick(&panel.table(), Qt::Key_Home, Qt::ControlModifier);
    EXPECT_EQ(startOfSelected(), starts.front());
}

TEST_F(FindPanelTest, EnterBeforeAnythingIsFoundGoesToTheMatchWhenItIs) {
    QTest::keyClicks(field(), "aten::mm");
    QTest::keyClick(field(), Qt::Key_Return);
    EXPECT_FALSE(axis.selectedSpan()) << "nothing was waited for";
    ASSERT_TRUE(QTest::qWaitFor([this] { return axis.selectedSpan().has_value(); }, 60'000));
    EXPECT_EQ(startOfSelected(), panel.model().rowAt(0).start);
    axis.setSelectedSpan(std::nullopt);
    QTest::keyClick(field(), Qt::Key_Return);
    ASSERT_TRUE(axis.selectedSpan()) << "what is found is gone to at once";
    // A step that was asked for is not made in what is typed after it.
    axis.setSelectedSpan(std::nullopt);
    field()->clear();
    QTest::keyClicks(field(), "aten");
    QTest::keyClick(field(), Qt::Key_Return);
    QTest::keyClicks(field(), "::addmm");
    panel.refreshNow();
    EXPECT_FALSE(axis.selectedSpan());
}

TEST_F(FindPanelTest, AHiddenPanelFindsWhatIsGoneTo) {
    panel.hide();
    panel.setPattern("aten::mm");
    panel.findNext();
    ASSERT_TRUE(QTest::qWaitFor([this] { return axis.selectedSpan().has_value(); }, 60'000));
}

TEST_F(FindPanelTest, SaysHowManyAreInTheMeasuredStepsThatTablesCount) {
    filter.setSteps(RunFilter::Steps::kMeasured);
    auto* within = button("findWithin");
    ASSERT_TRUE(within->isVisible());
    EXPECT_TRUE(within->isChecked()) << "what tables count is what is searched at first";
    QTest::mouseClick(within, Qt::LeftButton);
    type("aten::mm");
    const auto warmup = static_cast<std::int32_t>(*run->info().getInteger("config.warmup"));
    ASSERT_GT(warmup, 0);
    std::int64_t measured = 0;
    for (int i = 0; i < panel.model().rowCount(); ++i)
        measured += panel.model().rowAt(i).step >= warmup ? 1 : 0;
    const int all = panel.model().rowCount();
    ASSERT_LT(measured, all);
    EXPECT_THAT(panel.summary(), test::HasText(QStringLiteral(" · %1 of them, ").arg(measured)));
    const auto* sentence = panel.findChild<QLabel*>("findSummary");
    EXPECT_TRUE(sentence->toolTip().contains("which the tables count"));
    // The same scope as the tables', by a choice that is seen.
    EXPECT_EQ(within->text(), "Measured steps only");
    QTest::mouseClick(within, Qt::LeftButton);
    panel.refreshNow();
    EXPECT_EQ(panel.model().rowCount(), measured);
    EXPECT_THAT(
        panel.summary(),
        test::BeginsWith(QStringLiteral("within measured steps: %1 of %2 · ").arg(measured).arg(all)));
    // With all steps there is nothing to be within, and nothing to tell apart.
    filter.setSteps(RunFilter::Steps::kAll);
    panel.refreshNow();
    EXPECT_FALSE(within->isVisible());
    EXPECT_EQ(panel.model().rowCount(), all);
    EXPECT_THAT(panel.summary(), testing::Not(test::HasText("measured")));
    EXPECT_FALSE(sentence->toolTip().contains("which the tables count"));
}

TEST_F(FindPanelTest, InLittleRoomWhatCameOfItHasALineOfItsOwnAndIsNotCut) {
    filter.setSteps(RunFilter::Steps::kMeasured);
    type("aten::mm");
    const auto* summary = panel.findChild<QLabel*>("findSummary");
    ASSERT_TRUE(panel.summary().contains("in measured steps"));
    const auto isUnder = [&](int width) {
        resize(width, 300);
        EXPECT_GE(summary->contentsRect().width(), summary->fontMetrics().horizontalAdvance(summary->text()))
            << width;
        return summary->mapTo(&panel, QPoint()).y() > field()->mapTo(&panel, QPoint()).y() + 12;
    };
    for (const int width : {1600, 700, 1600})
        EXPECT_EQ(isUnder(width), width == 700);
    for (int width = 600; width < 1600; width += 50) {  // 1,050: the panel of a window of 1,600 × 1,000
        isUnder(width);
        EXPECT_LT(field()->fontMetrics().horizontalAdvance(field()->placeholderText()), field()->width() - 30)
            << width;
    }
}

TEST_F(FindPanelTest, TheTimesOfTheCpuAndOfTheGpuAreNotAddedUp) {
    document.setSnapshot(
        test::traceOf("op aten::softmax 0-10us ; kernel softmax_forward 0-4us ; copy softmax_copy 0-1us"));
    filter.setSteps(RunFilter::Steps::kAll);
    type("softmax");
    EXPECT_EQ(panel.summary(), "3 matches · CPU 10.0\u202Fµs, GPU 5.00\u202Fµs");
    EXPECT_EQ(panel.findChild<QLabel*>("findSummary")->toolTip().section(QLatin1Char('\n'), -1),
              "CPU 10,000 ns, GPU 5,000 ns total");
    // So beside the histogram, in a high panel and in a low one.
    const auto together = [this](int height) {
        resize(1000, height);
        QStringList lines;
        for (const Property& line : panel.distribution().properties().properties()) {
            if (line.label.contains("otal"))
                lines << QStringLiteral("%1 %2 = %3").arg(line.label, line.value, line.toolTip);
        }
        return lines;
    };
    const QStringList apart{"CPU total 10.0\u202Fµs = 10,000 ns", "GPU total 5.00\u202Fµs = 5,000 ns"};
    EXPECT_EQ(together(700), apart);
    EXPECT_EQ(together(200), apart);
    type("softmax_");
    EXPECT_EQ(panel.summary(), "2 matches · 5.00\u202Fµs");
    EXPECT_EQ(together(700), QStringList{"Total 5.00\u202Fµs = 5,000 ns"});
    type("aten");
    EXPECT_EQ(panel.summary(), "1 match · 10.0\u202Fµs");
    EXPECT_EQ(together(700), QStringList{"Total 10.0\u202Fµs = 10,000 ns"});
}

TEST_F(FindPanelTest, AMatchWithinAnotherIsNotAddedToTheTime) {
    filter.setSteps(RunFilter::Steps::kAll);
    QTest::mouseClick(button("findExpression"), Qt::LeftButton);
    const auto timeOf = [&](const char* expression) {
        type(QString::fromLatin1(expression));
        return panel.summary().section(" · ", 1);
    };
    const QString steps = timeOf("^step ");
    ASSERT_FALSE(steps.isEmpty());
    EXPECT_EQ(timeOf("^(step .*|forward|backward|blocks.*)$"), steps);
    const auto* summary = panel.findChild<QLabel*>("findSummary");
    EXPECT_THAT(summary->toolTip(), test::HasText("lie within another match"));
    EXPECT_EQ(panel.distribution().histogram().distribution().instances, panel.model().rowCount());
}

TEST_F(FindPanelTest, MarksAreWhereTheMatchesAreAndGoWithThePanel) {
    QSignalSpy ticks(&panel, &FindPanel::ticksChanged);
    type("optimizer");
    panel.refreshNow();
    ASSERT_GT(ticks.count(), 0);
    const auto columns = ticks.last()[1].value<std::vector<bool>>();
    EXPECT_TRUE(std::find(columns.begin(), columns.end(), true) != columns.end());
    EXPECT_TRUE(std::find(columns.begin(), columns.end(), false) != columns.end());
    panel.hide();
    EXPECT_TRUE(ticks.last()[1].value<std::vector<bool>>().empty());
}

TEST_F(FindPanelTest, AnotherRunIsSearchedAnewAndNoneSaysWhatToDo) {
    type("aten::mm");
    EXPECT_GT(panel.model().rowCount(), 0);
    document.clear();
    panel.refreshNow();
    EXPECT_EQ(panel.model().rowCount(), 0);
    EXPECT_TRUE(panel.table().emptyText().startsWith("Open or record a run"));
    panel.findNext();
    document.setSnapshot(run);
    panel.refreshNow();
    EXPECT_GT(panel.model().rowCount(), 0);
}

TEST_F(FindPanelTest, InALowPanelThePercentilesAreInView) {
    const DistributionPane& pane = panel.distribution();
    const PropertyList& lines = pane.properties();
    panel.resize(1000, 700);
    type("MM");
    QCoreApplication::processEvents();
    ASSERT_FALSE(lines.properties().empty());
    EXPECT_EQ(lines.properties().front().label, "Instances");
    resize(1000, 200);
    int row = -1;
    for (int i = 0; i < static_cast<int>(lines.properties().size()); ++i) {
        if (lines.properties()[static_cast<std::size_t>(i)].label.contains("P99.9"))
            row = i;
    }
    ASSERT_GE(row, 0);
    EXPECT_LE(lines.mapTo(&pane, lines.lineRect(row).bottomLeft()).y(), pane.height());
    const DurationHistogram& bars = pane.histogram();
    // Where not even they are all in view, the bars, low, under the name in one line.
    resize(1000, panel.height() - pane.height() + 110);
    ASSERT_EQ(pane.height(), 110);
    EXPECT_GE(bars.height(), DurationHistogram::kLeastHeight);
    EXPECT_LE(bars.mapTo(&pane, QPoint(0, bars.height())).y(), pane.height());
    // With some more room the bars too, and before them.
    resize(1000, 280);
    EXPECT_EQ(bars.height(), DurationHistogram::kHeight);
    EXPECT_LT(bars.mapTo(&pane, QPoint()).y(), lines.mapTo(&pane, QPoint()).y());
    EXPECT_LE(bars.mapTo(&pane, QPoint(0, bars.height())).y(), pane.height());
    EXPECT_LE(lines.mapTo(&pane, lines.lineRect(row).bottomLeft()).y(), pane.height());
}

/// What a search is for is in the names as recorded: these are behind, in tool tips and in copies.
TEST_F(FindPanelTest, AKernelIsCalledByWhatItDoesBeforeItsRecordedName) {
    const QString product = "nvjet_sm90_tst_128x256_64x4_2x4_h_bz_coopA_TNN";
    document.setSnapshot(test::traceOf(test::filled("op aten::nvjet 0-10us ; kernel % 0-4us ; kernel % 4-7us",
                                                    product.toStdString(), "nvjet_plain")));
    filter.setSteps(RunFilter::Steps::kAll);
    type("nvjet");
    const auto expectNamed = [&](const DataTable& table, const QAbstractItemModel& model, int column) {
        const auto cell = [&](int row, int role) { return model.index(row, column).data(role).toString(); };
        ASSERT_EQ(model.rowCount(), 3);
        int titled = 0;
        for (int row = 0; row < 3; ++row) {
            const QString recorded = cell(row, kPlainRole);
            const bool isProduct = recorded == product;
            titled += isProduct ? 1 : 0;
            EXPECT_EQ(cell(row, Qt::DisplayRole),
                      isProduct ? "gemm 128×256 TNN\u2003" + product : recorded + "\u2003")
                << "ops, and kernels of which no more is known, have their names";
            EXPECT_EQ(cell(row, Qt::ToolTipRole), recorded);
            EXPECT_EQ(cell(row, kSortRole), recorded);
        }
        EXPECT_EQ(titled, 1);
        for (const QString& copy : {table.asTsv(), table.asMarkdown()}) {
            EXPECT_THAT(copy, test::HasText(product));
            EXPECT_THAT(copy, testing::Not(test::HasText("gemm")));
        }
    };
    resize(1000, 640);
    expectNamed(panel.groupTable(), panel.groups(), panel.groups().column("name"));
    expectNamed(panel.table(), panel.model(), panel.model().column("name"));
    EXPECT_EQ(panel.groupTable().horizontalHeader()->sortIndicatorSection(),
              panel.groups().column("total_ns"));
    // So is the list of its instances.
    int row = 0;
    while (panel.groups().index(row, panel.groups().column("name")).data(kPlainRole).toString() != product)
        ASSERT_LT(++row, panel.groups().rowCount());
    panel.groupTable().setCurrentIndex(
        panel.groupTable().proxy()->mapFromSource(panel.groups().index(row, 0)));
    panel.refreshNow();
    const auto* caption = panel.findChild<QLabel*>("findInstancesOf");
    ASSERT_TRUE(caption);
    EXPECT_EQ(caption->text(), "Each gemm 128×256 TNN, in order of time");
    EXPECT_EQ(caption->toolTip(), product);
}

TEST_F(FindPanelTest, KernelsOfOneNameSayWhatMostOfThemDoAndHowMuchElseThereIs) {
    const auto kernel = [](const char* functor, const char* time) {
        return test::filled(
            "kernel vectorized_elementwise_kernel % full \"void at::native::vectorized_"
            "elementwise_kernel<8, at::native::%, std::array<char*, 2ul> >(int)\"\n",
            time, functor);
    };
    document.setSnapshot(test::traceOf(kernel("CUDAFunctor_add<float>", "0-9us") +
                                       kernel("FillFunctor<c10::BFloat16>", "10-12us") +
                                       kernel("FillFunctor<c10::BFloat16>", "13-15us")));
    filter.setSteps(RunFilter::Steps::kAll);
    type("vectorized");
    const auto shown = [](const auto& model, int row) {
        return model.index(row, model.column("name")).data().toString().section(QChar(0x2003), 0, 0);
    };
    ASSERT_EQ(panel.groups().rowCount(), 1);
    EXPECT_EQ(shown(panel.groups(), 0), "elementwise · add fp32 +1");
    ASSERT_EQ(panel.model().rowCount(), 3);
    EXPECT_EQ(shown(panel.model(), 0), "elementwise · add fp32");
    EXPECT_EQ(shown(panel.model(), 1), "elementwise · fill bf16");
}

TEST_F(FindPanelTest, AFigureNamesTheFamiliesOfWhatIsFound) {
    type("aten::mm");
    const auto* key = panel.findChild<LegendStrip*>("familyKey");
    EXPECT_TRUE(key->isHidden());
    const FigureMode figure(panel, {1000, 640});
    EXPECT_FALSE(key->isHidden());
    ASSERT_EQ(key->entries().size(), 1u);
    EXPECT_EQ(key->entries()[0], familyEntry(OpFamily::kMatmul));
}

}  // namespace warpglass::ui::find_panel_test
