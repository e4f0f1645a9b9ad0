// What a view's figures cover, in a line over them: in a figure it is among the settings of its head, and the
// view has the line's room.
#pragma once

#include <QLabel>

#include "ui/controls/elided_label.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

template <typename Label>
class ToldInFigures : public Label, public FigureControl {
public:
    using Label::Label;

    /// What a figure says instead of the text; empty: its head says the same (ui/controls/heading.h).
    void setFigureText(const QString& text) { m_figureText = text; }
    QString figureWords() const override { return m_figureText.isNull() ? this->text() : m_figureText; }

private:
    QString m_figureText;  // null for the text
};

/// In one line, cut where there is little room.
class SummaryLabel : public ToldInFigures<ElidedLabel> {
    using ToldInFigures::ToldInFigures;
};

/// What a view has found of its data (ui/controls/heading.h), in one line of the window. A figure's head says
/// it.
class FindingLabel : public SummaryLabel {
public:
    explicit FindingLabel(QWidget* parent) : SummaryLabel(parent) {
        setFont(Theme::tableFont());
        setFigureText(QStringLiteral(""));
    }
};

/// A text that is shown whole.
class SentenceLabel : public ToldInFigures<QLabel> {
    using ToldInFigures::ToldInFigures;
};

}  // namespace warpglass::ui
