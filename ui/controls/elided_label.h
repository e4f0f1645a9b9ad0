// One line of text that shrinks if room is short: to a shorter wording if it has one, then by its end, which
// becomes "…"; the tool tip has the full text. It never widens its parent. In a figure, which has no tool
// tip, it takes as many lines as it needs.
#pragma once

#include <QLabel>
#include <QStringList>

#include "ui/controls/figure_mode.h"

namespace warpglass::ui {

/// Wraps a label's text at its words. A word without end, as a kernel's name of thousands of letters, is cut
/// off by the label's edge: it does not widen the window, as QLabel would have it.
void wrapWords(QLabel& label);

class ElidedLabel : public QLabel, public FigurePart {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// Ever shorter wordings, each used if the previous one does not fit; if none fits, the last is cut, or
    /// nothing is shown if it is empty.
    void setShorterTexts(const QStringList& texts) { m_shorter = texts; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void setInFigure(bool inFigure) override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool fits(const QString& text) const;
    /// What is drawn, before it is cut.
    QString wording() const;
    void fitLines();

    QStringList m_shorter;
    bool m_inFigure = false;
    int m_leastHeight = 0, m_mostHeight = 0;  // out of a figure
};

}  // namespace warpglass::ui
