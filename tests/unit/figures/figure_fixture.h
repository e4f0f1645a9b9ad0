// Figures of a view of one color, written to a folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <QFile>
#include <QPainter>
#include <QTemporaryDir>
#include <QWidget>

#include "tests/support/files.h"
#include "ui/figures/figure.h"

namespace warpglass::ui {

/// Its whole area in one color, and remembers the sizes that it was painted at.
class Plain : public QWidget {
public:
    explicit Plain(QColor color, QWidget* parent = nullptr) : QWidget(parent), m_color(color) {
        setAccessibleName("Plain");
    }
    QList<QSize> painted;

protected:
    void paintEvent(QPaintEvent*) override {
        painted << size();
        QPainter(this).fillRect(rect(), m_color);
    }

private:
    QColor m_color;
};

struct FigureTest : ::testing::Test {
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QByteArray bytes(const QString& path) const {
        EXPECT_TRUE(QFile::exists(path)) << path.toStdString();
        return QByteArray::fromStdString(test::contentOf(path.toStdString()));
    }
    static void expectRefused(const Status& saved, const char* words) {
        ASSERT_FALSE(saved);
        EXPECT_NE(saved.message().find(words), std::string::npos) << saved.message();
    }
    QTemporaryDir m_folder;
    Plain m_view{Qt::red};
    FigureSource m_source{&m_view, nullptr, "small · bf16 · NVIDIA H200", false};
};

}  // namespace warpglass::ui
