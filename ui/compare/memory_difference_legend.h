// The legend over the memory of two runs: names both and, at the cursor, states the totals and the
// difference; and the lines and colors that the curves have.
#pragma once

#include <QColor>
#include <QCoreApplication>
#include <QPen>
#include <QStringList>

#include "ui/compare/memory_difference.h"
#include "ui/models/time_axis.h"

class QPainter;

namespace warpglass::ui {

class MemoryDifferenceLegend {
    Q_DECLARE_TR_FUNCTIONS(MemoryDifferenceLegend)
public:
    /// Both outlive this.
    MemoryDifferenceLegend(const MemoryDifference& memory, const TimeAxis& axis)
        : m_memory(memory), m_axis(axis) {}

    void setTitles(const QString& a, const QString& b);
    /// A and B (and the category), and the difference or, without a cursor, less and more.
    QStringList text() const { return text(Form::kTitles, false); }
    /// The longest form that fits, never cut: with the runs' names, with their letters only, or just the
    /// difference as a figure.
    QStringList shownText(int width) const;
    /// In its height; `onGpu`: the lanes above are a GPU's.
    void paint(QPainter& painter, int left, int right, bool onGpu) const;
    /// A line of the table font.
    static constexpr int kHeight = 20;

    static QPen linePen(bool ofA);
    /// What lies between the curves.
    static QColor fill(bool less);

private:
    enum class Form { kTitles, kLetters, kFigures };
    /// `widest`: with figures as wide as any, so that what is shown does not change with the cursor.
    QStringList text(Form form, bool widest) const;

    const MemoryDifference& m_memory;
    const TimeAxis& m_axis;
    QString m_titleA, m_titleB;
};

}  // namespace warpglass::ui
