// How the durations of one row's spans are spread: how many, how long together, a histogram, and percentiles
// in words. A bar asks for the longest span in it.
#pragma once

#include <QLabel>
#include <QWidget>

#include "engine/query/duration_distribution.h"

namespace warpglass::ui {

class DurationHistogram;
class PropertyList;

class DistributionPane : public QWidget {
    Q_OBJECT
public:
    explicit DistributionPane(QWidget* parent = nullptr);

    void showDistribution(const QString& title, const DurationDistribution& distribution);
    /// Instead of one: what to do to see one.
    void showSentence(const QString& sentence);
    DurationHistogram& histogram() const { return *m_histogram; }
    const PropertyList& properties() const { return *m_properties; }

    static constexpr int kWidth = 248;

signals:
    void spanRequested(warpglass::SpanPosition position);

private:
    PropertyList* m_head;
    QLabel* m_sentence;
    DurationHistogram* m_histogram;
    PropertyList* m_properties;
};

}  // namespace warpglass::ui
