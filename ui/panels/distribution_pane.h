// The distribution of the durations of one row's spans: a histogram, their number, their total (separately
// for CPU and GPU if they are on both), and percentiles in words. A click on a bar requests the longest span
// in it. In a low pane the percentiles are two to a line. In a lower one the name has one line and the bars
// are low; where they are not both to be seen, the percentiles come first if all of them are, else the bars.
#pragma once

#include <QLabel>
#include <QWidget>
#include <vector>

#include "engine/query/statistics/duration_distribution.h"
#include "ui/panels/property_list.h"

class QVBoxLayout;

namespace warpglass::ui {

class DurationHistogram;

class DistributionPane : public QWidget {
    Q_OBJECT
public:
    explicit DistributionPane(QWidget* parent = nullptr);

    /// `toolTip`: of the title.
    void showDistribution(const QString& title, const DurationDistribution& distribution,
                          const QString& toolTip = {});
    /// Instead of one: what to do to see one.
    void showSentence(const QString& sentence);
    DurationHistogram& histogram() const { return *m_histogram; }
    const PropertyList& properties() const { return *m_properties; }

    static constexpr int kWidth = 248;

signals:
    void spanRequested(warpglass::SpanPosition position);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    /// Shows the head with the full name below a heading, or in a single line.
    void showHead(bool inALine);
    static std::vector<Property> linesOf(const DurationDistribution& distribution);
    static std::vector<Property> fewLinesOf(const DurationDistribution& distribution);

    QVBoxLayout* m_parts;
    QString m_title;
    PropertyList* m_head;
    QLabel* m_sentence;
    DurationHistogram* m_histogram;
    PropertyList* m_properties;
    bool m_low = false, m_linesFirst = false;
};

}  // namespace warpglass::ui
