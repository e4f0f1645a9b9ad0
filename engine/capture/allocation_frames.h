// What an allocation was made for, as the stack that LibTorch's memory snapshots keep of it: a run has no
// Python, whose frames would stand there, and more to say than a stack of native functions does.
#pragma once

namespace warpglass {

/// While one lives, LibTorch's memory history has as every allocation's frames, from the inside out: the open
/// ops of the allocating thread, the module (for a node of the backward pass that of the op it
/// differentiates), the phase and the step. A frame's file is its kind ("op", "module" …), its function the
/// name.
///
/// Made and destroyed on the thread that runs the model, with no range and no op open. Listens to every op,
/// which makes each of them slower.
class AllocationFrames {
public:
    AllocationFrames();
    ~AllocationFrames();
    AllocationFrames(const AllocationFrames&) = delete;
    AllocationFrames& operator=(const AllocationFrames&) = delete;

private:
    unsigned long long m_callback;
};

}  // namespace warpglass
