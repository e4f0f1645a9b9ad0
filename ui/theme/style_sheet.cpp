#include "ui/theme/style_sheet.h"

#include <utility>

namespace warpglass::ui {

namespace {

/// @name@ stands for a token. A field's text has no color here: the palette has the same, and with one of
/// the sheet's Qt paints placeholders in half of it instead of the palette's own.
constexpr const char* kSheet = R"(
QMainWindow, QDialog, QMessageBox { background: @panel@; }
QLabel { background: transparent; }
QLabel[secondary="true"] { color: @secondary@; }
QLabel[accentText="true"] { color: @accent@; }
QLabel[problem="true"], QLabel[secondary="true"][problem="true"] { color: @warning@; }
QFrame#hairline { background: @hairline@; border: none; }
QFrame[card="true"] { background: @raised@; border: none; border-radius: 8px; }
QWidget[bar="true"] { background: @panel@; }
QScrollArea, QScrollArea > QWidget > QWidget { background: @panel@; border: none; }
QSplitter::handle { background: @hairline@; }
QFrame[banner="true"], QFrame[ground="true"] { background: @raised@; border: none; border-bottom: 1px solid @hairline@; }
QFrame[banner="true"] QLabel { color: @warning@; }
QFrame[banner="true"][notice="true"] QLabel { color: @text@; }

QMenuBar { background: @panel@; border-bottom: 1px solid @hairline@; padding: 0; }
QMenuBar::item { color: @secondary@; background: transparent; padding: 7px 8px; margin: 0 2px; border-radius: 6px; }
QMenuBar[joined="true"]::item { padding: 8px; }
QMenuBar::item:selected, QMenuBar::item:pressed { color: @text@; background: @hover@; }
QLabel#appName { color: @text@; font-weight: 600; }
QMenu { background: @raised@; border: 1px solid @hairline@; border-radius: 0; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 28px; border-radius: 4px; color: @text@; }
QMenu::item:selected { background: @menuHover@; }
QMenu::item:disabled { color: @secondary@; }
QMenu::separator { height: 1px; background: @hairline@; margin: 4px 8px; }
QMenu::icon { padding-left: 6px; }
QMenu::right-arrow { width: 16px; height: 16px; }
QMenu::indicator { width: 16px; height: 16px; left: 6px; }
QStatusBar { background: @panel@; border-top: 1px solid @hairline@; color: @secondary@; min-height: 27px; }
QStatusBar[floating="true"] { border-right: 1px solid @hairline@; border-top-right-radius: 6px; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @secondary@; padding-left: 8px; }
QStatusBar QLabel[problem="true"] { color: @warning@; }
QStatusBar QPushButton { min-height: 20px; max-height: 20px; }
QToolTip { background: @raised@; color: @text@; border: 1px solid @hairline@; padding: 5px 7px; }

QLineEdit, QComboBox, QAbstractSpinBox {
    background: @field@; border: 1px solid @hairline@; border-radius: 6px;
    padding: 0 9px; min-height: 26px; max-height: 26px; selection-background-color: @accent@;
    selection-color: @onAccent@;
}
QLineEdit:hover, QComboBox:hover, QAbstractSpinBox:hover { border-color: @strongLine@; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border-color: @accent@; }
QLineEdit[problem="true"], QComboBox[problem="true"] { border-color: @warning@; }
QPlainTextEdit#figureCaption {
    background: @field@; border: 1px solid @hairline@; border-radius: 6px; padding: 2px 5px;
    selection-background-color: @accent@; selection-color: @onAccent@;
}
QPlainTextEdit#figureCaption:hover { border-color: @strongLine@; }
QPlainTextEdit#figureCaption:focus { border-color: @accent@; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox QAbstractItemView {
    background: @raised@; border: 1px solid @hairline@; padding: 4px; outline: none;
    selection-background-color: @menuHover@; selection-color: @text@;
}
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0 6px; border-radius: 4px; }

QPushButton {
    background: @raised@; color: @text@; border: 1px solid @hairline@; border-radius: 6px;
    padding: 0 12px; min-height: 26px; max-height: 26px;
}
QPushButton:hover { background: @hover@; border-color: @strongLine@; }
QPushButton:focus { border-color: @accent@; }
QPushButton:disabled { color: @secondary@; background: @raised@; }
QPushButton[accent="true"] {
    background: @accent@; color: @onAccent@; border: 1px solid @accent@; font-weight: 600;
    min-height: 34px; max-height: 34px; padding: 0 16px;
}
QPushButton[accent="true"]:hover { background: @accentHover@; border-color: @accentHover@; }
QPushButton[accent="true"]:focus { border-color: @text@; }
QPushButton[accent="true"]:disabled { background: @raised@; color: @secondary@; border-color: @hairline@; }
QPushButton[accent="true"][running="true"] { background: @raised@; color: @text@; border-color: @hairline@; }
QPushButton[accent="true"][running="true"]:hover { background: @hover@; }
QPushButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }
QPushButton[flatRow="true"] {
    background: transparent; border: none; text-align: left; padding: 0 8px; border-radius: 4px;
    min-height: 27px; max-height: 27px;
}
QPushButton[flatRow="true"]:hover, QPushButton[flatRow="true"]:focus { background: @hover@; }

QFrame[segments="true"] { background: @raised@; border: none; border-radius: 7px; }
QToolButton[segment="true"] {
    background: transparent; border: 1px solid transparent; border-radius: 5px; color: @secondary@;
    min-height: 22px; max-height: 22px; padding: 0 2px; margin: 0;
}
QToolButton[segment="true"]:hover { color: @text@; }
QToolButton[segment="true"]:checked {
    background: @segmentOn@; border-color: @segmentLine@; color: @text@; font-weight: 500;
}
QToolButton[segment="true"]:focus { border-color: @accent@; }
QToolButton[segment="true"]:disabled { color: @strongLine@; background: transparent; border-color: transparent; }
QToolButton[segment="true"]::menu-indicator { image: none; }

QToolButton[chip="true"] {
    background: @raised@; color: @text@; border: 1px solid transparent; border-radius: 12px; padding: 0 10px;
    min-height: 22px; max-height: 22px;
}
QToolButton[chip="true"]:hover { background: @hover@; }
QToolButton[chip="true"]:focus { border-color: @accent@; }
QToolButton[chip="true"][without="true"] { color: @secondary@; background: transparent; border-color: @hairline@; }
QToolButton[chip="true"]::menu-indicator { image: none; }
QToolButton[chip="true"]:checked { border-color: @strongLine@; }
QToolButton[fold="true"] {
    background: transparent; color: @secondary@; border: 1px solid transparent; border-radius: 5px; padding: 0 6px 0 0;
    min-height: 26px; max-height: 26px;
}
QToolButton[fold="true"]:hover { color: @text@; }
QToolButton[fold="true"]:focus { border-color: @accent@; }
QToolButton[fold="true"][problem="true"] { color: @warning@; }
QCheckBox { spacing: 6px; color: @text@; }

QTableView {
    background: @panel@; border: none; outline: none; gridline-color: transparent; color: @text@;
    selection-background-color: @hover@; selection-color: @text@;
}
QFrame#commandPalette { background: @raised@; border: 1px solid @hairline@; }
QListWidget {
    background: transparent; border: none; outline: none; color: @text@;
    selection-background-color: @hover@; selection-color: @text@;
}
QListWidget#contents::item { border: none; padding: 0 12px; }
QListWidget#contents::item:selected { background: @hover@; color: @text@; }
QListWidget#contents::item:disabled { color: @secondary@; }
QTextBrowser { background: @panel@; border: none; color: @text@; }
QHeaderView { background: @panel@; border: none; }
QHeaderView::section {
    background: @panel@; color: @secondary@; border: none; border-bottom: 1px solid @hairline@;
    padding: 0 8px; min-height: 21px; max-height: 21px;
}
QHeaderView::section:hover { color: @text@; }
QTableCornerButton::section { background: @panel@; border: none; }

QTabWidget::pane { border: none; border-top: 1px solid @hairline@; top: -1px; }
QTabWidget::tab-bar { left: 0; }
QTabWidget[joined="true"]::pane { position: absolute; top: -32px; border: none; }
QTabBar { background: @panel@; qproperty-drawBase: 0; }
QTabBar::tab {
    background: transparent; color: @secondary@; border: none; border-bottom: 2px solid transparent;
    min-height: 26px; max-height: 26px; padding: 0 4px; margin: 0 8px;
}
QTabBar[joined="true"]::tab { min-height: 30px; max-height: 30px; }
QTabBar::tab:hover { color: @text@; }
QTabBar::tab:selected { color: @text@; border-bottom-color: @accent@; font-weight: 500; }
QTabBar::tab:focus { border: 1px solid @accent@; border-bottom: 2px solid @accent@; padding: 0 3px; }
QFrame#runTabRow { background: @panel@; border: none; border-bottom: 1px solid @hairline@; }
QTabBar QToolButton { background: @panel@; border: none; }
QTabBar#runTabs::tab {
    border: none; border-radius: 6px; min-height: 27px; max-height: 27px; padding: 0 10px; margin: 2px;
}
QTabBar#runTabs::tab:hover { background: @raised@; }
QTabBar#runTabs::tab:selected { background: @raised@; color: @text@; }
QTabBar#runTabs::tab:focus { border: 1px solid @accent@; padding: 0 9px; }

QProgressBar {
    background: @raised@; border: none; border-radius: 2px; min-height: 4px; max-height: 4px; color: transparent;
}
QProgressBar::chunk { background: @accent@; border-radius: 2px; }

QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: @hairline@; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @strongLine@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QAbstractScrollArea::corner { background: @panel@; border: none; }
)";

}  // namespace

QString styleSheet(const ThemeColors& c, ThemeKind kind) {
    const bool dark = kind == ThemeKind::kDark;
    // Derived from the tokens: a line under the pointer, the accent there, the segment that is on.
    const QColor strongLine = Theme::mixed(c.hairline, c.secondaryText, 0.45);
    const std::pair<const char*, QColor> tokens[] = {
        {"background", c.background},
        {"panel", c.panel},
        {"raised", c.raised},
        {"hover", c.hover},
        {"hairline", c.hairline},
        {"text", c.text},
        {"secondary", c.secondaryText},
        {"accentHover", Theme::mixed(c.accent, dark ? QColor(Qt::white) : QColor(Qt::black), 0.12)},
        {"accent", c.accent},
        {"onAccent", c.onAccent},
        {"warning", c.warning},
        {"strongLine", strongLine},
        {"field", c.background},
        {"menuHover", Theme::mixed(c.hover, c.hairline, dark ? 0.6 : 0.3)},
        {"segmentOn", dark ? Theme::mixed(c.hover, c.hairline, 0.75) : c.panel},
        {"segmentLine", dark ? Theme::mixed(c.hairline, c.secondaryText, 0.12) : c.hairline},
    };
    QString sheet = QString::fromLatin1(kSheet);
    for (const auto& [name, color] : tokens)
        sheet.replace(QLatin1Char('@') + QString::fromLatin1(name) + QLatin1Char('@'), color.name());
    return sheet;
}

}  // namespace warpglass::ui
