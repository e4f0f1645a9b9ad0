// The strip above the memory chart: its title, the categories that occur or the groups of the stack, in as
// many rows as they need, and the figures at the cursor.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "engine/trace/ids.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

class MemoryLegend : public QWidget {
    Q_OBJECT
public:
    explicit MemoryLegend(QWidget* parent = nullptr);

    void setLabelWidth(int width);
    void setCategories(std::vector<Category> categories);
    const std::vector<Category>& categories() const { return m_categories; }
    /// Instead of the categories, in their order with groupColor(); "rest" is the last where there are more
    /// than kGroupColors. None for the categories.
    void setGroups(const std::vector<std::string>& names);
    const std::vector<std::string>& groups() const { return m_groups; }
    /// The plot's lines but for what is allocated, and what else needs an entry.
    void setLines(std::vector<LegendEntry> lines);
    /// At the right; left out where there is no room for it.
    void setReading(const QString& text);
    QString reading() const { return m_reading; }

    /// As drawn.
    std::vector<LegendEntry> entries() const;

    QSize sizeHint() const override;
    /// The height of the legend in one row.
    static constexpr int kHeight = 20;

signals:
    void heightChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Where the entries are; the rest of a single row is the reading's.
    QRectF entryArea() const;
    QRect readingArea() const;
    void fitHeight();

    int m_labelWidth = 96;
    double m_entriesWidth = 0;
    std::vector<Category> m_categories;
    std::vector<std::string> m_groups;
    std::vector<LegendEntry> m_lines;
    QString m_reading;
};

}  // namespace warpglass::ui
