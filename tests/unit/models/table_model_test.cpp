// The keyed replacement that keeps rows in place, against a plain list, under Qt's own checker.
#include "ui/models/table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <map>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui {
namespace {

struct Item {
    std::string key;
    int value = 0;
};
struct KeyOf {
    const std::string& operator()(const Item& item) const { return item.key; }
};

class ItemModel : public KeyedTableModel<Item, KeyOf> {
public:
    ItemModel()
        : ItemModel(
              {{QStringLiteral("Key"), {}, {}, false, 100}, {QStringLiteral("Value"), {}, {}, true, 50}}) {}
    explicit ItemModel(std::vector<Column> columns) : KeyedTableModel(std::move(columns), nullptr) {}
    void set(std::vector<Item> items) { replaceRows(std::move(items)); }
    int place(int row) const { return ordinal(static_cast<std::size_t>(row)); }

protected:
    QString text(std::size_t i, int column) const override {
        return column == 0 ? QString::fromStdString(row(i).key) : QString::number(row(i).value);
    }
    QVariant plainValue(std::size_t i, int column) const override {
        return column == 0 ? QVariant(text(i, 0)) : QVariant(row(i).value);
    }
};

TEST(TableModel, RandomReplacementsShowWhatWasGiven) {
    ItemModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    std::uint64_t random = 7;
    for (int round = 0; round < 400; ++round) {
        std::vector<Item> items;
        const std::uint64_t density = test::nextRandom(random) % 100;
        for (int k = 0; k < 24; ++k) {
            if (test::nextRandom(random) % 100 < density)
                items.push_back(
                    {"key" + std::to_string(k), static_cast<int>(test::nextRandom(random) % 1000)});
        }
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1], items[test::nextRandom(random) % i]);
        model.set(items);
        ASSERT_EQ(model.rowCount(), static_cast<int>(items.size()));
        std::map<std::string, std::pair<int, int>> expected;
        for (std::size_t i = 0; i < items.size(); ++i)
            expected[items[i].key] = {items[i].value, static_cast<int>(i)};
        for (int r = 0; r < model.rowCount(); ++r) {
            const auto found = expected.find(model.index(r, 0).data().toString().toStdString());
            ASSERT_NE(found, expected.end());
            EXPECT_EQ(model.index(r, 1).data(kSortRole).toInt(), found->second.first);
            EXPECT_EQ(model.place(r), found->second.second);
            expected.erase(found);
        }
        EXPECT_TRUE(expected.empty());
    }
}

TEST(TableModel, ARowThatStaysKeepsItsPersistentIndex) {
    ItemModel model;
    model.set({{"a", 1}, {"b", 2}, {"c", 3}});
    const QPersistentModelIndex b = model.index(1, 1);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.set({{"d", 4}, {"c", 30}, {"b", 20}});
    EXPECT_EQ(reset.count(), 0);
    ASSERT_TRUE(b.isValid());
    EXPECT_EQ(b.data().toString(), QStringLiteral("20"));
    model.set({{"c", 5}});
    EXPECT_FALSE(b.isValid());
}

TEST(TableModel, AFirstClickSortsNumbersByTheMostAndTextByItsLetters) {
    using First = TableModel::FirstSort;
    const auto order = [](bool number, First first) {
        const std::vector<TableModel::Column> columns{{QStringLiteral("Title"), {}, {}, number, 50, first}};
        const ItemModel model(columns);
        return model.headerData(0, Qt::Horizontal, Qt::InitialSortOrderRole).toInt();
    };
    EXPECT_EQ(order(true, First::kByKind), Qt::DescendingOrder);
    EXPECT_EQ(order(false, First::kByKind), Qt::AscendingOrder);
    EXPECT_EQ(order(true, First::kLeast), Qt::AscendingOrder) << "a step's number is no amount";
    EXPECT_EQ(order(false, First::kMost), Qt::DescendingOrder) << "a share that is a bar at the left";
}

TEST(TableModel, HeadersStateSideWidthAndPlainTitle) {
    ItemModel model;
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Value"));
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, kPlainTitleRole).toString(), QStringLiteral("Value"));
    EXPECT_EQ(model.headerData(0, Qt::Horizontal, kWidthRole).toInt(), 100);
    EXPECT_TRUE(model.headerData(1, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    EXPECT_TRUE(model.headerData(0, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignLeft);
    EXPECT_FALSE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).isValid());
    EXPECT_FALSE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
}

}  // namespace
}  // namespace warpglass::ui
