// Precompiled for the window's folders: the part of Qt that many of their sources include. All of <QtWidgets>
// would take longer to load than the rest saves.
#pragma once

#include <QApplication>
#include <QColor>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QPointer>
#include <QScrollBar>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWidget>

#include "cmake/headers/engine.h"
