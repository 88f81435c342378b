// Places where tests kill the process, to show that no instruction is a bad one to die at.
//
// Nothing at all in the library that is shipped; only the test build defines YARD_SLICE_FAULTS.
#pragma once

namespace yard::slice {

#ifdef YARD_SLICE_FAULTS
void FaultPoint();
#define YARD_FAULT_POINT() ::yard::slice::FaultPoint()
#else
#define YARD_FAULT_POINT() ((void)0)
#endif

}  // namespace yard::slice
