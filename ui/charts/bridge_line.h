// The way from one figure to another in one line: "Time per step  46.4 ms → matmul −32.4 ms → … → 35.3 ms",
// less and more in the colors of a comparison. In little room the smaller parts are one; the tool tip has all
// of them.
#pragma once

#include <QLabel>
#include <optional>

#include "engine/base/bridge.h"

namespace warpglass::ui {

class BridgeLine : public QLabel {
    Q_OBJECT
public:
    /// `what` the figures are: "Time per step".
    explicit BridgeLine(const QString& what, QWidget* parent = nullptr);

    /// Nothing: an empty line.
    void setBridge(const std::optional<Bridge>& bridge);
    bool hasBridge() const { return m_bridge.has_value(); }
    static constexpr int kHeight = 22;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showParts();

    QString m_what;
    std::optional<Bridge> m_bridge;
};

}  // namespace warpglass::ui
