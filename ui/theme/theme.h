// The look's tokens (surfaces, text, accent, category and family colors, fonts, spacing), for both themes.
// Every view takes its colors from here; none writes one of its own. Also what draws and divides by them:
// PainterScope, hairline(), divided().
#pragma once

#include <QColor>
#include <QFont>
#include <QMargins>
#include <QObject>
#include <QString>
#include <initializer_list>

#include "engine/query/spans/op_family.h"
#include "engine/trace/ids.h"
#include "engine/trace/kernel_clocks.h"

class QFrame;
class QPainter;
class QWidget;

namespace warpglass::ui {

enum class ThemeKind { kDark, kLight };

struct ThemeColors {
    QColor background, panel, raised, hover, hairline, grid, text, secondaryText, accent;
    /// Text on the accent.
    QColor onAccent;
    /// A sentence that needs attention (a field's problem, a loss); 4.5 : 1 on panel and raised.
    QColor warning;
    QColor less, more, equal;  // comparisons
    bool operator==(const ThemeColors&) const = default;
};

/// Spacing grid and control sizes in logical pixels.
struct Metrics {
    static constexpr int kSpace1 = 4, kSpace2 = 8, kSpace3 = 12, kSpace4 = 16;
    static constexpr int kControlHeight = 28, kRunButtonHeight = 36, kTableRow = 22, kBarHeight = 36;
    /// Corners of controls and cards; of chips' swatches.
    static constexpr int kRadius = 6, kSwatchRadius = 2;
    static constexpr int kSwatch = 8, kIcon = 16;
    /// Around what stands in a bar above a chart or a table, and around a card's content.
    static constexpr QMargins kBarMargins{kSpace3, kSpace1, kSpace3, kSpace1};
    static constexpr QMargins kCardMargins{kSpace3, kSpace2, kSpace3, kSpace2};
};

/// A new layout with these margins, and so far between its items.
template <class Layout>
Layout* spaced(Layout* layout, const QMargins& margins, int spacing) {
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    return layout;
}
template <class Layout>
Layout* spaced(Layout* layout, int margin, int spacing) {
    return spaced(layout, {margin, margin, margin, margin}, spacing);
}

template <class Layout>
void addAll(Layout* layout, std::initializer_list<QWidget*> widgets) {
    for (QWidget* widget : widgets)
        layout->addWidget(widget);
}

/// A hairline stands between its panes, and no drag hides one.
template <class Splitter>
Splitter* divided(Splitter* splitter) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    return splitter;
}

/// An action or a button that is on or off.
template <class Choice>
void makeCheckable(Choice* choice, bool checked) {
    choice->setCheckable(true);
    choice->setChecked(checked);
}

/// The name is what code, tests and the style sheet find it by; `accessible` is for screen readers.
template <class Object>
Object* named(Object* object, const char* name) {
    object->setObjectName(QLatin1String(name));
    return object;
}
template <class Widget>
void setNames(Widget* widget, const char* name, const QString& accessible) {
    named(widget, name)->setAccessibleName(accessible);
}

class Theme : public QObject {
    Q_OBJECT
public:
    /// The application's theme; the window, --render and tests set its kind.
    static Theme& instance();

    ThemeKind kind() const { return m_kind; }
    void setKind(ThemeKind kind);
    /// Text, lines and surfaces further apart, for a projector; data's colors stay. apply() is to follow.
    void setHighContrast(bool on);
    bool highContrast() const { return m_highContrast; }
    /// The desktop's choice; kDark when it states none. Asked before apply() changes the palette.
    static ThemeKind systemKind();
    /// "dark", "light"; anything else ("system") is the desktop's choice.
    static ThemeKind kindForWord(const QString& word);
    const ThemeColors& colors() const;
    static const ThemeColors& colorsOf(ThemeKind kind);
    static const ThemeColors& highContrastColorsOf(ThemeKind kind);

    /// The same in both themes and in every figure (Okabe–Ito).
    static QColor categoryColor(Category category);
    /// What a kernel's rounds are made of; four of the categories' colors, the same everywhere.
    static QColor clockPhaseColor(ClockPhase phase);
    QColor familyColor(OpFamily family) const;
    QColor phaseColor(Phase phase) const;
    /// Readable (4.5 : 1) on the given opaque fill: the theme's text color or its opposite, or, where a
    /// middling fill asks for it, plain black or white.
    static QColor textOn(const QColor& fill);
    /// The color as text on that fill: of its hue, as much darker or lighter as that contrast asks for; 3 is
    /// enough for what is not text.
    static QColor readableOn(const QColor& color, const QColor& fill, double enough = 4.5);
    /// `share` of the way from one to the other.
    static QColor mixed(const QColor& from, const QColor& to, double share);
    /// The color of what the filter excludes: far enough toward the background that what it keeps stands out
    /// at first glance, and still to be seen and clicked.
    QColor muted(const QColor& color) const;
    /// The ground under the data of a range of time that is selected.
    QColor selectedGround() const { return mixed(colors().background, colors().accent, 0.14); }
    /// A line in that color over data, as a cursor: opaque, and a little behind text.
    QColor lineOver(const QColor& color) const { return mixed(colors().background, color, 0.75); }
    /// WCAG 2's contrast of two opaque colors, 1…21.
    static double contrast(const QColor& a, const QColor& b);

    /// Fonts are compiled in; loadFonts() registers them once per process (needs a QGuiApplication).
    static void loadFonts();
    static QFont textFont();    // Inter 13
    static QFont strongFont();  // Inter 13 medium
    static QFont tableFont();   // Inter 12, tabular figures (ui/theme/tabular_text.h)
    static QFont headFont();    // Inter 11 semibold, capitals, 0.6 px tracking
    static QFont monoFont();    // JetBrains Mono 11.5
    /// QPalette and style sheet for the whole application, from the tokens.
    void apply(class QApplication& application);

signals:
    void changed();

private:
    ThemeKind m_kind = ThemeKind::kDark;
    bool m_highContrast = false;
};

/// The color, so much of it: 0 nothing, 1 opaque.
inline QColor withAlpha(QColor color, float alpha) {
    color.setAlphaF(alpha);
    return color;
}

/// The font in another size, in pixels.
inline QFont sized(QFont font, int pixels) {
    font.setPixelSize(pixels);
    return font;
}
/// For titles and large figures.
inline QFont titleFont(int pixels) {
    QFont font = sized(Theme::textFont(), pixels);
    font.setWeight(QFont::DemiBold);
    return font;
}

/// What is said beside something else: in the secondary color, in that font.
template <class Label>
void setSecondary(Label* label, const QFont& font = Theme::tableFont()) {
    label->setFont(font);
    label->setProperty("secondary", true);
}

/// A line between the parts of a view, one pixel thick.
QFrame* hairline(Qt::Orientation orientation, QWidget* parent);

/// What is changed of the painter is undone at the end of the scope.
class PainterScope {
public:
    explicit PainterScope(QPainter& painter);
    ~PainterScope();
    PainterScope(const PainterScope&) = delete;
    PainterScope& operator=(const PainterScope&) = delete;

private:
    QPainter& m_painter;
};

/// A property that the style sheet has rules for.
void restyle(QWidget& widget, const char* property, bool value);

}  // namespace warpglass::ui
