// How long a kind of span takes: a small histogram, the selected span's place marked.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/models/span_details.h"

namespace warpglass::ui {

class DurationHistogram : public QWidget {
    Q_OBJECT
public:
    explicit DurationHistogram(QWidget* parent = nullptr);

    void setStatistics(const KindStatistics& statistics, std::optional<Nanoseconds> marked);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// The bin of the marked duration; −1 for none.
    int markedBin() const;

    KindStatistics m_statistics;
    std::optional<Nanoseconds> m_marked;
};

}  // namespace warpglass::ui
