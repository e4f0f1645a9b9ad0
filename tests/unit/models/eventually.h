// Waiting for what the event loop or a worker brings.
#pragma once

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QThread>
#include <chrono>

namespace warpglass::ui {

/// Runs the event loop until the condition holds; the deadline only ends a test that has failed.
template <class Condition>
bool eventually(Condition&& holds) {
    const QDeadlineTimer deadline(std::chrono::seconds(60));
    while (!holds()) {
        if (deadline.hasExpired())
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::usleep(200);
    }
    return true;
}

}  // namespace warpglass::ui
