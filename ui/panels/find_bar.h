// The bar above the matches: what to search for, among which kinds, within what, and a summary of the result.
#pragma once

#include <QWidget>
#include <array>
#include <vector>

#include "engine/query/statistics/span_search.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class SummaryLabel;

class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(QWidget* parent = nullptr);

    QString text() const;
    bool isExpression() const;
    std::array<bool, kSearchKindCount> kinds() const;
    void setPattern(const QString& text, bool expression);
    /// The field has the focus and its text is selected.
    void focusField();

    /// What a search may be restricted to.
    enum class Scope { kNone, kMeasuredSteps, kFilter };
    /// `words`: the scope in words, "blocks.3.attn, backward". Applied unless the user chooses otherwise.
    void offerScope(Scope scope, const QString& words);
    bool isWithin() const;

    /// "1,055 matches · 54.3 ms", or what is wrong; `toolTip` says more.
    void say(const QString& sentence, bool problem, const QString& toolTip = {});
    QString sentence() const;
    void setStepsEnabled(bool enabled);

    /// What is looked for, for a figure.
    QString figureWords() const;

signals:
    /// What is looked for, or where, is another.
    void changed();
    void stepRequested(bool forward);
    /// Down, from the field.
    void listRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildField();
    void buildKinds();
    void buildSteps();
    void fitPlaceholder();
    /// Width of everything but the summary, side by side.
    int controlsWidth() const;
    /// Places the summary beside the controls, or below them if it would be cut there.
    void placeSummary();

    QHBoxLayout* m_first;
    QHBoxLayout* m_second;
    QLineEdit* m_field;
    QToolButton* m_expression;
    std::vector<QToolButton*> m_kinds;  // by SearchKind
    QToolButton* m_within;
    QToolButton* m_previous;
    QToolButton* m_next;
    SummaryLabel* m_summary;
    bool m_under = false;
    Scope m_scope = Scope::kNone;
    bool m_withinSteps = true, m_withinFilter = true;
};

}  // namespace warpglass::ui
