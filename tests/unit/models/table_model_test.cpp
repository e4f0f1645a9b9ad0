// The keyed replacement that keeps rows in place, against a plain list, under Qt's own checker.
#include "ui/models/described_table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <map>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui::table_model_test {

struct Item {
    std::string key;
    int value = 0;
};
std::string rowKey(const Item& item) {
    return item.key;
}

using ItemColumn = Column<Item>;
TableDescription<Item> itemTable() {
    return {"items",
            {ItemColumn("key", "Key", Unit::kText, "", &Item::key, {.width = 100}),
             ItemColumn("value_ns", "Value", Unit::kNanoseconds, "", &Item::value)}};
}

class ItemModel : public DescribedTableModel<Item> {
public:
    ItemModel() : DescribedTableModel(itemTable()) {}
    void set(std::vector<Item> items) { show(std::move(items)); }
    int place(int row) const { return ordinal(static_cast<std::size_t>(row)); }
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
    EXPECT_EQ(b.data(kPlainRole).toInt(), 20);
    model.set({{"c", 5}});
    EXPECT_FALSE(b.isValid());
}

TEST(TableModel, AFirstClickSortsNumbersByTheMostAndTextByItsLetters) {
    const auto isMostFirst = [](Unit unit, FirstSort first) {
        return headOf(ItemColumn("k", "Title", unit, "", &Item::key, {.firstSort = first})).mostFirst;
    };
    EXPECT_TRUE(isMostFirst(Unit::kCount, FirstSort::kByUnit));
    EXPECT_TRUE(isMostFirst(Unit::kFraction, FirstSort::kByUnit));
    EXPECT_FALSE(isMostFirst(Unit::kText, FirstSort::kByUnit));
    EXPECT_FALSE(isMostFirst(Unit::kOrdinal, FirstSort::kByUnit)) << "a step's number is no amount";
    EXPECT_FALSE(isMostFirst(Unit::kMoment, FirstSort::kByUnit));
    EXPECT_FALSE(isMostFirst(Unit::kCount, FirstSort::kLeast));
    EXPECT_TRUE(isMostFirst(Unit::kText, FirstSort::kMost));
}

TEST(TableModel, HeadersStateSideWidthAndPlainTitle) {
    const ItemModel model;
    const auto head = [&](int column, int role) { return model.headerData(column, Qt::Horizontal, role); };
    EXPECT_EQ(head(1, Qt::DisplayRole).toString(), "Value");
    EXPECT_EQ(head(1, kPlainTitleRole).toString(), "Value (ns)");
    EXPECT_EQ(head(1, kColumnNameRole).toString(), "Value");
    EXPECT_EQ(head(0, kPlainTitleRole).toString(), "Key");
    EXPECT_EQ(head(0, kWidthRole).toInt(), 100);
    EXPECT_TRUE(head(1, Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    EXPECT_TRUE(head(0, Qt::TextAlignmentRole).toInt() & Qt::AlignLeft);
    EXPECT_FALSE(head(2, Qt::DisplayRole).isValid());
    EXPECT_FALSE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
}

}  // namespace warpglass::ui::table_model_test
