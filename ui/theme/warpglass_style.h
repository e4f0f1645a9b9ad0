// Fusion, with our own line icons for its arrows, check marks and crosses, and our own check boxes.
#pragma once

#include <QProxyStyle>

namespace warpglass::ui {

class WarpglassStyle : public QProxyStyle {
    Q_OBJECT
public:
    WarpglassStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                  QStyleHintReturn* returnData = nullptr) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                    const QWidget* widget = nullptr) const override;
};

}  // namespace warpglass::ui
