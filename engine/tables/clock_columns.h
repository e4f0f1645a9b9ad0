// Kernels that wrote a clock of themselves: how their tiles filled the GPU, and where the time inside went.
#pragma once

#include "engine/query/model/clocked_kernel.h"
#include "engine/tables/column.h"

namespace warpglass {

const TableDescription<ClockedKernel>& kernelClocksTable();

}  // namespace warpglass
