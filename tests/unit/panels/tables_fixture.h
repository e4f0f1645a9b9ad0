// A made run with the tables' models over it: its document, its axis and its filter.
#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QLabel>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <algorithm>
#include <memory>

#include "engine/query/statistics/statistics.h"
#include "tests/support/first_of.h"
#include "tests/support/show_unseen.h"
#include "tests/support/synthetic_trace.h"
#include "ui/controls/data_table.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/panels/op_table.h"

namespace warpglass::ui {

struct TablesTest : testing::Test {
    TablesTest() : run(test::makeSyntheticRun()) { show(run); }
    void show(const std::shared_ptr<const Snapshot>& shown) {
        document.setSnapshot(shown);
        axis.setFullRange(shown->range());
    }
    /// The model's row of one that a table shows.
    static int modelRow(const DataTable& rows, int shown) {
        return rows.proxy()->mapToSource(rows.proxy()->index(shown, 0)).row();
    }
    static int currentRow(const DataTable& rows) { return modelRow(rows, rows.currentIndex().row()); }
    static void makeCurrent(DataTable& rows, int shown) {
        rows.setCurrentIndex(rows.proxy()->index(shown, 0));
    }
    template <class Table>
    static QString label(const Table& table, const char* name) {
        return table.template findChild<QLabel*>(QString::fromLatin1(name))->text();
    }
    static std::int64_t instances(OpTable& table) {
        table.refreshNow();
        std::int64_t sum = 0;
        for (int r = 0; r < table.model().rowCount(); ++r)
            sum += table.model().rowAt(r).row.figures.instances;
        return sum;
    }
    std::int64_t expected(const SpanFilter& filter) const {
        std::int64_t sum = 0;
        for (const StatisticsRow& row : opStatistics(*run, filter))
            sum += row.instances;
        return sum;
    }
    /// The first span of a name on tracks of a kind.
    SpanRef spanOf(TrackKind kind, const char* name) const {
        return *longestSpan(*run, kind, run->findName(name), {});
    }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    RunFilter filter{document, axis};
};

/// The entry of a menu with that text; the test ends where there is none.
inline QAction* entryOf(const QMenu& menu, const QString& text) {
    const QList<QAction*> entries = menu.actions();
    return test::firstOf(entries, [&](const QAction* entry) { return entry->text() == text; });
}

/// The chip of a condition over a table; null when there is none.
inline QToolButton* chip(QWidget& table, RunFilter::Condition condition) {
    test::showUnseen(table, {1000, 300});
    QCoreApplication::processEvents();
    for (auto* found :
         table.findChildren<QToolButton*>(QStringLiteral("chip%1").arg(static_cast<int>(condition)))) {
        if (!found->isHidden())
            return found;
    }
    return nullptr;
}

}  // namespace warpglass::ui
