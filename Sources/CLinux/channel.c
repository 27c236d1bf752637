#define _GNU_SOURCE
#include "CIsolation.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_descriptors = 8 };

typedef union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(most_descriptors * sizeof(int))];
} control;

ssize_t avt_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    if (descriptor_count > most_descriptors) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    control space;
    if (descriptor_count) {
        memset(&space, 0, sizeof space);
        message.msg_control = space.bytes;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
    }
    ssize_t sent;
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t avt_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count) {
    struct iovec part = {bytes, count};
    control space;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = space.bytes, .msg_controllen = sizeof space.bytes};
    ssize_t received;
    *descriptor_count = 0;
    do
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0)
        return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        size_t got = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < got; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
            if (*descriptor_count < most_descriptors)
                descriptors[(*descriptor_count)++] = descriptor;
            else
                close(descriptor);
        }
    }
    return received;
}

int avt_socket_pair(int *one, int *other) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return errno;
    *one = ends[0];
    *other = ends[1];
    return 0;
}

int avt_wait(int socket, int milliseconds) {
    struct pollfd wanted = {socket, POLLIN, 0};
    int count;
    do
        count = poll(&wanted, 1, milliseconds);
    while (count < 0 && errno == EINTR);
    return count != 0;
}
