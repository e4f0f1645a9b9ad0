// A tool tip with a head and rows of name, value and exact value, all in one place so that they look alike.
#pragma once

#include <QColor>
#include <QString>

namespace warpglass::ui {

class ToolTipTable {
public:
    explicit ToolTipTable(const QString& head) : m_head(head) {}

    /// `swatch` may be invalid, `exact` empty.
    void add(const QString& name, const QString& value, const QString& exact = {}, const QColor& swatch = {});
    /// A sentence under the table.
    void say(const QString& sentence) { m_sentences << sentence; }
    QString html() const;

private:
    QString m_head, m_rows;
    QStringList m_sentences;
};

}  // namespace warpglass::ui
